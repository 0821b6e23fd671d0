import type { ErrorCode, OperationName } from '@ergon/contract'
import type { ParityStage } from './stage.ts'
import type { Sent, TransportName } from './transport.ts'

/** One call that every transport must answer alike. */
export type Scenario = {
  /** A sentence. */
  readonly name: string
  readonly operation: OperationName
  readonly expected: 'ok' | ErrorCode
  /** Brings the market to where the call is made. Runs once for each transport. */
  readonly act: (stage: ParityStage) => Promise<Sent>
  /** Transports that do not offer the operation. */
  readonly gaps?: readonly TransportName[]
  /** Transports that say the code in another form, so that the code alone is compared: how. */
  readonly otherwise?: Partial<Readonly<Record<TransportName, string>>>
}
