export { pathFields, takesIdempotencyKey } from '../rest-binding.ts'
export { retryableCodes, roomNames, wireOperations } from './wire-table.ts'
export type { WireOperation } from './wire-operation.ts'
