import json, sys
json.dump([{"input":{"mode":"jet","nx":24,"ny":24,"t_max":3600},"path":"output.anomaly","reference":1e-4*20/(2**.5*3.141592653589793*2)*4e6/9.80665/2**.5/2**.5*2**.5,"by":"closed form"}],open('scripts/audit/climate.json','w'))
