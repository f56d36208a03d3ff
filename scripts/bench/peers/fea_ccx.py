"""The cantilever in CalculiX, elements CPS8: fea_ccx.py <nx> <ny> [--json]; the time is that of the whole program.

--json prints the displacements of all nodes instead.
"""

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import fea_mesh as model

nx, ny = int(sys.argv[1]), int(sys.argv[2])
x, y, elements = model.mesh(nx, ny)
force = model.loads(nx, ny, len(x))
u, v = model.exact(x[: 2 * ny + 1], y[: 2 * ny + 1])
deck = ["*NODE, NSET=ALL"]
deck += [f"{i + 1},{x[i]:.12e},{y[i]:.12e},0" for i in range(len(x))]
deck += ["*ELEMENT, TYPE=CPS8, ELSET=BODY"]
deck += [",".join(str(n) for n in (k + 1, *(row + 1))) for k, row in enumerate(elements)]
deck += ["*MATERIAL, NAME=STEEL", "*ELASTIC", f"{model.E},{model.NU}"]
deck += ["*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL", f"{model.T}", "*STEP", "*STATIC", "*BOUNDARY"]
for i in range(2 * ny + 1):
    deck += [f"{i + 1},1,1,{u[i]:.12e}", f"{i + 1},2,2,{v[i]:.12e}"]
deck += ["*CLOAD"] + [f"{i + 1},2,{force[i]:.12e}" for i in np.flatnonzero(force)]
deck += ["*NODE PRINT, NSET=ALL", "U", "*END STEP", ""]
with tempfile.TemporaryDirectory() as folder:
    Path(folder, "beam.inp").write_text("\n".join(deck))
    subprocess.run(["ccx", "beam"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    ms = 1e3 * (spent.ru_utime + spent.ru_stime)
    rows = [line.split() for line in Path(folder, "beam.dat").read_text().splitlines()]
    moved = np.array([[float(it) for it in row[1:3]] for row in rows if len(row) == 4 and row[0].isdigit()])
if "--json" in sys.argv:
    print(json.dumps({"nx": nx, "ny": ny, "u": moved[:, 0].tolist(), "v": moved[:, 1].tolist()}))
else:
    print(f"{ms:.3f} {model.error(x, y, moved[:, 0], moved[:, 1]):.3e} L2, digits as printed")
