// RUN: op2-opt %s --op2-attach-machine=cpu=x86-64-v4 --op2-plan --op2-vectorize | FileCheck %s

// A kernel of more than 100 operations is called where vectors leave elements
// over, a short one inlined; and so is one that a scalar loop calls, too.

// CHECK-DAG: func.func private @long({{.*}}) attributes {llvm.bareptr, passthrough = ["noinline"]}
// CHECK-DAG: func.func private @short({{.*}}) attributes {llvm.bareptr} {
// CHECK-DAG: func.func private @both({{.*}}) attributes {llvm.bareptr} {
func.func @loops(%s: !op2.set, %x: !op2.dat<1xf64>, %m: !op2.map<1>) {
  op2.par_loop @long over %s args(rw %x : !op2.dat<1xf64>)
  op2.par_loop @short over %s args(rw %x : !op2.dat<1xf64>)
  op2.par_loop @both over %s args(rw %x : !op2.dat<1xf64>)
  op2.par_loop @both over %s args(rw %x : !op2.dat<1xf64> via %m[0] : !op2.map<1>)
  return
}
func.func private @long(%x: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v0 = memref.load %x[%c0] : memref<1xf64>
  %v1 = arith.mulf %v0, %v0 : f64 %v2 = arith.mulf %v1, %v0 : f64 %v3 = arith.mulf %v2, %v0 : f64
  %v4 = arith.mulf %v3, %v0 : f64 %v5 = arith.mulf %v4, %v0 : f64 %v6 = arith.mulf %v5, %v0 : f64
  %v7 = arith.mulf %v6, %v0 : f64 %v8 = arith.mulf %v7, %v0 : f64 %v9 = arith.mulf %v8, %v0 : f64
  %v10 = arith.mulf %v9, %v0 : f64 %v11 = arith.mulf %v10, %v0 : f64 %v12 = arith.mulf %v11, %v0 : f64
  %v13 = arith.mulf %v12, %v0 : f64 %v14 = arith.mulf %v13, %v0 : f64 %v15 = arith.mulf %v14, %v0 : f64
  %v16 = arith.mulf %v15, %v0 : f64 %v17 = arith.mulf %v16, %v0 : f64 %v18 = arith.mulf %v17, %v0 : f64
  %v19 = arith.mulf %v18, %v0 : f64 %v20 = arith.mulf %v19, %v0 : f64 %v21 = arith.mulf %v20, %v0 : f64
  %v22 = arith.mulf %v21, %v0 : f64 %v23 = arith.mulf %v22, %v0 : f64 %v24 = arith.mulf %v23, %v0 : f64
  %v25 = arith.mulf %v24, %v0 : f64 %v26 = arith.mulf %v25, %v0 : f64 %v27 = arith.mulf %v26, %v0 : f64
  %v28 = arith.mulf %v27, %v0 : f64 %v29 = arith.mulf %v28, %v0 : f64 %v30 = arith.mulf %v29, %v0 : f64
  %v31 = arith.mulf %v30, %v0 : f64 %v32 = arith.mulf %v31, %v0 : f64 %v33 = arith.mulf %v32, %v0 : f64
  %v34 = arith.mulf %v33, %v0 : f64 %v35 = arith.mulf %v34, %v0 : f64 %v36 = arith.mulf %v35, %v0 : f64
  %v37 = arith.mulf %v36, %v0 : f64 %v38 = arith.mulf %v37, %v0 : f64 %v39 = arith.mulf %v38, %v0 : f64
  %v40 = arith.mulf %v39, %v0 : f64 %v41 = arith.mulf %v40, %v0 : f64 %v42 = arith.mulf %v41, %v0 : f64
  %v43 = arith.mulf %v42, %v0 : f64 %v44 = arith.mulf %v43, %v0 : f64 %v45 = arith.mulf %v44, %v0 : f64
  %v46 = arith.mulf %v45, %v0 : f64 %v47 = arith.mulf %v46, %v0 : f64 %v48 = arith.mulf %v47, %v0 : f64
  %v49 = arith.mulf %v48, %v0 : f64 %v50 = arith.mulf %v49, %v0 : f64 %v51 = arith.mulf %v50, %v0 : f64
  %v52 = arith.mulf %v51, %v0 : f64 %v53 = arith.mulf %v52, %v0 : f64 %v54 = arith.mulf %v53, %v0 : f64
  %v55 = arith.mulf %v54, %v0 : f64 %v56 = arith.mulf %v55, %v0 : f64 %v57 = arith.mulf %v56, %v0 : f64
  %v58 = arith.mulf %v57, %v0 : f64 %v59 = arith.mulf %v58, %v0 : f64 %v60 = arith.mulf %v59, %v0 : f64
  %v61 = arith.mulf %v60, %v0 : f64 %v62 = arith.mulf %v61, %v0 : f64 %v63 = arith.mulf %v62, %v0 : f64
  %v64 = arith.mulf %v63, %v0 : f64 %v65 = arith.mulf %v64, %v0 : f64 %v66 = arith.mulf %v65, %v0 : f64
  %v67 = arith.mulf %v66, %v0 : f64 %v68 = arith.mulf %v67, %v0 : f64 %v69 = arith.mulf %v68, %v0 : f64
  %v70 = arith.mulf %v69, %v0 : f64 %v71 = arith.mulf %v70, %v0 : f64 %v72 = arith.mulf %v71, %v0 : f64
  %v73 = arith.mulf %v72, %v0 : f64 %v74 = arith.mulf %v73, %v0 : f64 %v75 = arith.mulf %v74, %v0 : f64
  %v76 = arith.mulf %v75, %v0 : f64 %v77 = arith.mulf %v76, %v0 : f64 %v78 = arith.mulf %v77, %v0 : f64
  %v79 = arith.mulf %v78, %v0 : f64 %v80 = arith.mulf %v79, %v0 : f64 %v81 = arith.mulf %v80, %v0 : f64
  %v82 = arith.mulf %v81, %v0 : f64 %v83 = arith.mulf %v82, %v0 : f64 %v84 = arith.mulf %v83, %v0 : f64
  %v85 = arith.mulf %v84, %v0 : f64 %v86 = arith.mulf %v85, %v0 : f64 %v87 = arith.mulf %v86, %v0 : f64
  %v88 = arith.mulf %v87, %v0 : f64 %v89 = arith.mulf %v88, %v0 : f64 %v90 = arith.mulf %v89, %v0 : f64
  %v91 = arith.mulf %v90, %v0 : f64 %v92 = arith.mulf %v91, %v0 : f64 %v93 = arith.mulf %v92, %v0 : f64
  %v94 = arith.mulf %v93, %v0 : f64 %v95 = arith.mulf %v94, %v0 : f64 %v96 = arith.mulf %v95, %v0 : f64
  %v97 = arith.mulf %v96, %v0 : f64 %v98 = arith.mulf %v97, %v0 : f64 %v99 = arith.mulf %v98, %v0 : f64
  memref.store %v99, %x[%c0] : memref<1xf64>
  return
}
func.func private @short(%x: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v0 = memref.load %x[%c0] : memref<1xf64>
  %v1 = arith.mulf %v0, %v0 : f64 %v2 = arith.mulf %v1, %v0 : f64 %v3 = arith.mulf %v2, %v0 : f64
  %v4 = arith.mulf %v3, %v0 : f64 %v5 = arith.mulf %v4, %v0 : f64 %v6 = arith.mulf %v5, %v0 : f64
  %v7 = arith.mulf %v6, %v0 : f64 %v8 = arith.mulf %v7, %v0 : f64 %v9 = arith.mulf %v8, %v0 : f64
  %v10 = arith.mulf %v9, %v0 : f64 %v11 = arith.mulf %v10, %v0 : f64 %v12 = arith.mulf %v11, %v0 : f64
  %v13 = arith.mulf %v12, %v0 : f64 %v14 = arith.mulf %v13, %v0 : f64 %v15 = arith.mulf %v14, %v0 : f64
  %v16 = arith.mulf %v15, %v0 : f64 %v17 = arith.mulf %v16, %v0 : f64 %v18 = arith.mulf %v17, %v0 : f64
  %v19 = arith.mulf %v18, %v0 : f64 %v20 = arith.mulf %v19, %v0 : f64 %v21 = arith.mulf %v20, %v0 : f64
  %v22 = arith.mulf %v21, %v0 : f64 %v23 = arith.mulf %v22, %v0 : f64 %v24 = arith.mulf %v23, %v0 : f64
  %v25 = arith.mulf %v24, %v0 : f64 %v26 = arith.mulf %v25, %v0 : f64 %v27 = arith.mulf %v26, %v0 : f64
  %v28 = arith.mulf %v27, %v0 : f64 %v29 = arith.mulf %v28, %v0 : f64 %v30 = arith.mulf %v29, %v0 : f64
  memref.store %v30, %x[%c0] : memref<1xf64>
  return
}
func.func private @both(%x: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %v0 = memref.load %x[%c0] : memref<1xf64>
  %v1 = arith.mulf %v0, %v0 : f64 %v2 = arith.mulf %v1, %v0 : f64 %v3 = arith.mulf %v2, %v0 : f64
  %v4 = arith.mulf %v3, %v0 : f64 %v5 = arith.mulf %v4, %v0 : f64 %v6 = arith.mulf %v5, %v0 : f64
  %v7 = arith.mulf %v6, %v0 : f64 %v8 = arith.mulf %v7, %v0 : f64 %v9 = arith.mulf %v8, %v0 : f64
  %v10 = arith.mulf %v9, %v0 : f64 %v11 = arith.mulf %v10, %v0 : f64 %v12 = arith.mulf %v11, %v0 : f64
  %v13 = arith.mulf %v12, %v0 : f64 %v14 = arith.mulf %v13, %v0 : f64 %v15 = arith.mulf %v14, %v0 : f64
  %v16 = arith.mulf %v15, %v0 : f64 %v17 = arith.mulf %v16, %v0 : f64 %v18 = arith.mulf %v17, %v0 : f64
  %v19 = arith.mulf %v18, %v0 : f64 %v20 = arith.mulf %v19, %v0 : f64 %v21 = arith.mulf %v20, %v0 : f64
  %v22 = arith.mulf %v21, %v0 : f64 %v23 = arith.mulf %v22, %v0 : f64 %v24 = arith.mulf %v23, %v0 : f64
  %v25 = arith.mulf %v24, %v0 : f64 %v26 = arith.mulf %v25, %v0 : f64 %v27 = arith.mulf %v26, %v0 : f64
  %v28 = arith.mulf %v27, %v0 : f64 %v29 = arith.mulf %v28, %v0 : f64 %v30 = arith.mulf %v29, %v0 : f64
  %v31 = arith.mulf %v30, %v0 : f64 %v32 = arith.mulf %v31, %v0 : f64 %v33 = arith.mulf %v32, %v0 : f64
  %v34 = arith.mulf %v33, %v0 : f64 %v35 = arith.mulf %v34, %v0 : f64 %v36 = arith.mulf %v35, %v0 : f64
  %v37 = arith.mulf %v36, %v0 : f64 %v38 = arith.mulf %v37, %v0 : f64 %v39 = arith.mulf %v38, %v0 : f64
  %v40 = arith.mulf %v39, %v0 : f64 %v41 = arith.mulf %v40, %v0 : f64 %v42 = arith.mulf %v41, %v0 : f64
  %v43 = arith.mulf %v42, %v0 : f64 %v44 = arith.mulf %v43, %v0 : f64 %v45 = arith.mulf %v44, %v0 : f64
  %v46 = arith.mulf %v45, %v0 : f64 %v47 = arith.mulf %v46, %v0 : f64 %v48 = arith.mulf %v47, %v0 : f64
  %v49 = arith.mulf %v48, %v0 : f64 %v50 = arith.mulf %v49, %v0 : f64 %v51 = arith.mulf %v50, %v0 : f64
  %v52 = arith.mulf %v51, %v0 : f64 %v53 = arith.mulf %v52, %v0 : f64 %v54 = arith.mulf %v53, %v0 : f64
  %v55 = arith.mulf %v54, %v0 : f64 %v56 = arith.mulf %v55, %v0 : f64 %v57 = arith.mulf %v56, %v0 : f64
  %v58 = arith.mulf %v57, %v0 : f64 %v59 = arith.mulf %v58, %v0 : f64 %v60 = arith.mulf %v59, %v0 : f64
  %v61 = arith.mulf %v60, %v0 : f64 %v62 = arith.mulf %v61, %v0 : f64 %v63 = arith.mulf %v62, %v0 : f64
  %v64 = arith.mulf %v63, %v0 : f64 %v65 = arith.mulf %v64, %v0 : f64 %v66 = arith.mulf %v65, %v0 : f64
  %v67 = arith.mulf %v66, %v0 : f64 %v68 = arith.mulf %v67, %v0 : f64 %v69 = arith.mulf %v68, %v0 : f64
  %v70 = arith.mulf %v69, %v0 : f64 %v71 = arith.mulf %v70, %v0 : f64 %v72 = arith.mulf %v71, %v0 : f64
  %v73 = arith.mulf %v72, %v0 : f64 %v74 = arith.mulf %v73, %v0 : f64 %v75 = arith.mulf %v74, %v0 : f64
  %v76 = arith.mulf %v75, %v0 : f64 %v77 = arith.mulf %v76, %v0 : f64 %v78 = arith.mulf %v77, %v0 : f64
  %v79 = arith.mulf %v78, %v0 : f64 %v80 = arith.mulf %v79, %v0 : f64 %v81 = arith.mulf %v80, %v0 : f64
  %v82 = arith.mulf %v81, %v0 : f64 %v83 = arith.mulf %v82, %v0 : f64 %v84 = arith.mulf %v83, %v0 : f64
  %v85 = arith.mulf %v84, %v0 : f64 %v86 = arith.mulf %v85, %v0 : f64 %v87 = arith.mulf %v86, %v0 : f64
  %v88 = arith.mulf %v87, %v0 : f64 %v89 = arith.mulf %v88, %v0 : f64 %v90 = arith.mulf %v89, %v0 : f64
  %v91 = arith.mulf %v90, %v0 : f64 %v92 = arith.mulf %v91, %v0 : f64 %v93 = arith.mulf %v92, %v0 : f64
  %v94 = arith.mulf %v93, %v0 : f64 %v95 = arith.mulf %v94, %v0 : f64 %v96 = arith.mulf %v95, %v0 : f64
  %v97 = arith.mulf %v96, %v0 : f64 %v98 = arith.mulf %v97, %v0 : f64 %v99 = arith.mulf %v98, %v0 : f64
  memref.store %v99, %x[%c0] : memref<1xf64>
  return
}
