import pathlib, glob, shutil, os
p = pathlib.Path('d/e'); p.mkdir(parents=True); (p / 'f.txt').write_text('x')
print(sorted(glob.glob('**', recursive=True)), pathlib.Path.cwd(), pathlib.Path(__file__).resolve(), pathlib.Path.home(), shutil.which('sh'), shutil.disk_usage('.').total)
