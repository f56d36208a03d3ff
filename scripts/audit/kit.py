"""What the makers of references share: a list of cases and the file that they are written to."""

import json
import os


class Cases:
    def __init__(self, name):
        self.name = name
        self.cases = []
        self.told = None

    def add(self, input, by, numbers, scales=None):
        """Numbers by path below `output`; a path that is the word `value` is the sealed value. The input is told once."""
        for path, reference in numbers.items():
            text = json.dumps(input)
            case = ({} if text == self.told else {"input": input}) | {"path": path if path == "value" else "output." + path,
                    "reference": float(reference), "by": by}
            self.told = text
            if scales and path in scales:
                case["scale"] = float(scales[path])
            self.cases.append(case)

    def write(self):
        file = os.path.join(os.path.dirname(os.path.abspath(__file__)), self.name + ".json")
        rows = ",\n  ".join(json.dumps(it, ensure_ascii=False) for it in self.cases)
        with open(file, "w", encoding="utf-8") as out:
            out.write("[\n  " + rows + "\n]\n")
        problems = sum("input" in it for it in self.cases)
        print(f"{self.name}: {problems} problems, {len(self.cases)} numbers")
