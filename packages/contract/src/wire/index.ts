export { pathFields, takesIdempotencyKey } from '../rest-binding.ts'
export { roomNames, wireErrors, wireOperations } from './wire-table.ts'
export type { WireOperation } from './wire-operation.ts'
