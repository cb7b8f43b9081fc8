import csv, io, xml.etree.ElementTree as ET
print(list(csv.reader(io.StringIO('a,b\n1,"2,3"\n'))), csv.list_dialects(), ET.fromstring('<a><b x="1"/></a>')[0].attrib)
