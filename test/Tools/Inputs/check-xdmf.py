"""check-xdmf.py FILE.xdmf: what the file refers to is there, of that shape and
type; prints a line for each part.
"""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

NUMBERS = {"F32": "Float 4", "F64": "Float 8", "I8": "Char 1", "U8": "UChar 1",
           "I32": "Int 4", "U32": "UInt 4", "I64": "Int 8", "U64": "UInt 8"}


def describe(file, path):
    """What h5dump says: ([extents], "Float 8")."""
    text = subprocess.run(["h5dump", "-H", "-d", path, file], text=True,
                          check=True, capture_output=True).stdout
    space = re.search(r"DATASPACE +SIMPLE \{ \( ([^)]*) \)", text).group(1)
    kind = re.search(r"DATATYPE +H5T_(?:STD|IEEE)_(\w+?)[LB]E", text).group(1)
    return [int(n) for n in space.split(",")], NUMBERS[kind]


def check_item(item, folder):
    dimensions = [int(n) for n in item.get("Dimensions").split()]
    file, path = item.text.strip().split(":")
    shape, kind = describe(os.path.join(folder, file), path)
    assert shape == dimensions, (path, shape, dimensions)
    assert kind == f"{item.get('NumberType')} {item.get('Precision')}", path
    return shape, f"{file}:{path} {kind} {shape}"


root = ElementTree.parse(sys.argv[1]).getroot()
folder = os.path.dirname(sys.argv[1])
assert root.tag == "Xdmf" and root.get("Version") == "3.0"
for grid in root.iter("Grid"):
    if grid.get("GridType") == "Collection":
        print("collection", grid.get("CollectionType"))
        continue
    time = grid.find("Time")
    print("grid" + ("" if time is None else " at " + time.get("Value")))
    sizes = {"Cell": int(grid.find("Topology").get("NumberOfElements"))}
    for part in grid:
        if part.tag == "Time":
            continue
        shape, where = check_item(part.find("DataItem"), folder)
        if part.tag == "Geometry":
            sizes["Node"] = shape[0]
        if part.tag == "Attribute":
            assert shape[0] == sizes[part.get("Center")]
        names = [part.get(key) for key in
                 ("TopologyType", "GeometryType", "Name", "AttributeType",
                  "Center") if part.get(key)]
        print(" ", part.tag, *names, where)
