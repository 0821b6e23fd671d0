export { commands } from './commands/index.ts'
export { globalOptions, type Command } from './command.ts'
export { exitCodes } from './exit-codes.ts'
export { helpOf } from './help.ts'
