export { lettingGo } from './letting-go.ts'
export { watchEventLoop, type LoopWatch } from './loop-watch.ts'
export { openLog, type ProcessLog } from './open-log.ts'
export { runProcess, type Running } from './run-process.ts'
