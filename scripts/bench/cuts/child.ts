import { workloadOf } from './workloads/index.ts'

/* One workload in a process of its own, which is recorded: `node child.ts <workload> <directory> <size>`. */
const [name = '', below = '', size = '1'] = process.argv.slice(2)
await workloadOf(name).run(below, Number(size))
