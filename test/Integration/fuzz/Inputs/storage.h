// Not in fuzz.h, which is precompiled for programs of all targets.
//
// On a device, who uses a dat's storage says so.
#ifdef FUZZ_DEVICE
#define RAW_READ(dat) op_download_dat(dat)
#define RAW_WRITTEN(dat) op_upload_dat(dat)
#else
#define RAW_READ(dat) (void)0
#define RAW_WRITTEN(dat) (void)0
#endif
