module planner

go 1.18
