# How: has files beside it that Python would load before a program (sitecustomize, usercustomize, a module of the library's
# name, a pyvenv.cfg), and looks at what confines the very first line.
# Expected: exited 0; every line says "no": nothing was loaded before it, and it began without rights.
import os

with open("/proc/self/status") as status:
    facts = dict(line.split(":", 1) for line in status)
for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb"):
    value = facts.get(name, "0").strip()
    print("no" if int(value, 16) == 0 else "yes", name, value)
print("no" if facts.get("Seccomp", "0").strip() == "2" else "yes", "life without a filter")
print("no" if facts.get("NoNewPrivs", "1").strip() == "1" else "yes", "new privileges")
print("yes" if 0 in (os.getuid(), os.geteuid(), os.getgid(), os.getegid(), *os.getgroups()) else "no", "root")
print("yes" if os.path.exists("loaded") else "no", "file loaded before the program")
