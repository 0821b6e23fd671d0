export { createOperationsClient } from './client.ts'
export type { ClientOptions, Input, OperationsClient, Output } from './client.ts'
export { ErgonError } from './ergon-error.ts'
export type { Answer } from './transport.ts'
