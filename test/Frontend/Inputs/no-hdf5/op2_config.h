// As a build without HDF5 has it.
#define OP2_HAS_HDF5 0
