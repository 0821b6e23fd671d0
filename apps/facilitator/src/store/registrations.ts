import type { Address, Hex } from '@ergon/protocols'

export type Metadata = readonly { readonly key: string; readonly value: Hex }[]

/** An agent on its way into the registry: minted here, then handed to its recipient. */
export type Registration = {
  readonly id: string
  readonly network: string
  readonly agentUri: string
  readonly metadata: Metadata
  readonly recipient: Address | null
  readonly idempotencyKey: string | null
  readonly requestHash: string
  /** `mint_confirmed`: minted by the version before, which handed over in a transaction of its own. */
  readonly status: 'pending' | 'mint_confirmed' | 'done' | 'failed'
  readonly agentId: string | null
  readonly mintTransaction: Hex | null
  readonly transferTransaction: Hex | null
  readonly error: string | null
}

export type NewRegistration = Pick<
  Registration,
  'network' | 'agentUri' | 'metadata' | 'recipient' | 'idempotencyKey' | 'requestHash'
>
export type RegistrationChange = Partial<
  Pick<Registration, 'status' | 'agentId' | 'mintTransaction' | 'transferTransaction' | 'error'>
>

/** As with `IntentStore`, a method that throws has answered nothing. */
export type RegistrationStore = {
  /**
   * Writes it and binds its key. `in_flight`: the same registration is on its way under another key. `conflict`: the
   * key is taken. `fenced`: a successor holds the account. None of the three writes anything.
   */
  insert(
    registration: NewRegistration & { readonly id: string },
    account: string,
    epoch: number,
  ): Promise<Registration | 'in_flight' | 'conflict' | 'fenced'>
  /** Decides what an `insert` that threw has left; undefined: the row is not there and can never come to be there. */
  fence(id: string): Promise<Registration | undefined>
  find(id: string): Promise<Registration | undefined>
  update(id: string, change: RegistrationChange): Promise<Registration>
  /** Ends a registration of which nothing was sent, and frees its key. */
  withdraw(id: string, error: string): Promise<void>
  unfinished(): Promise<Registration[]>
}

/** The key of a registration among all keys: apart from those of settlements, which have no spaces. */
export function registrationKey(idempotencyKey: string): string {
  return `register ${idempotencyKey}`
}
