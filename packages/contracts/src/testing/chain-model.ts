/** The terms of one payment, as the contracts take them. Addresses are lowercase. */
export type PaymentTerms = {
  readonly operator: string
  readonly payer: string
  readonly receiver: string
  readonly token: string
  readonly maxAmount: bigint
  readonly preApprovalExpiry: number
  readonly authorizationExpiry: number
  readonly refundExpiry: number
  readonly minFeeBps: number
  readonly maxFeeBps: number
  readonly feeReceiver: string
  readonly salt: bigint
}

/** Where the contracts of a model are and what they were created with. Addresses are lowercase. */
export type ModelDeployment = {
  readonly token: string
  readonly escrow: string
  /** The collector of signed EIP-3009 authorizations. */
  readonly collector: string
  /** Collectors that pay refunds out of their own balance. */
  readonly refundCollectors: readonly string[]
  readonly operator: string
  readonly treasury: string
  readonly facilitator: string
  readonly feeBps: number
  readonly maxDeposit: bigint
  /** Where the escrow keeps the coins of an operator. */
  readonly storeOf: (operator: string) => string
  /** The escrow's key of a payment. */
  readonly hashOf: (terms: PaymentTerms) => string
}

/** What an account signed for the token, as EIP-3009 hashes it. */
export type SignedTransfer = {
  readonly type: 'transfer' | 'receive'
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: string
}
export type SignedCancellation = { readonly type: 'cancel'; readonly from: string; readonly nonce: string }

/** Whether a signature is the account's own over exactly this. Without it a model takes every signature for good. */
export type SignatureCheck = (message: SignedTransfer | SignedCancellation, signature: string) => boolean

/** A log, without the payment's terms: they are what was given. */
export type ModelEvent = {
  readonly contract: 'token' | 'escrow' | 'operator'
  readonly name: string
  readonly args: Readonly<Record<string, string | bigint | number>>
}

/** What a call reverts with: an error of the contracts, or the text of the token's `require`. */
export type ModelRevert = { readonly error: string; readonly args: readonly (string | bigint | number)[] }

export type ModelAnswer =
  | { readonly outcome: 'success'; readonly events: readonly ModelEvent[] }
  | { readonly outcome: 'reverted'; readonly revert: ModelRevert }

/** Ends a call; the chain undoes what it did. */
export class Revert extends Error {
  override readonly name = 'Revert'
  readonly revert: ModelRevert
  constructor(error: string, ...args: ModelRevert['args']) {
    super(`${error}(${args.map(String).join(', ')})`)
    this.revert = { error, args }
  }
}

/** The refusal of a `require` with a text. */
export function refuse(text: string): never {
  throw new Revert('Error', text)
}

type Cell = Map<string, unknown>

/** The state of a chain and of the call that runs on it. */
export type Ground = {
  readonly deployment: ModelDeployment
  readonly now: () => number
  readonly get: <T>(table: string, key: string, otherwise: T) => T
  readonly put: (table: string, key: string, value: unknown) => void
  readonly emit: (event: ModelEvent) => void
}

/** Everything a model remembers, to go back to. */
export type ModelSnapshot = ReadonlyMap<string, ReadonlyMap<string, unknown>>

/** A state of named tables on which calls run whole or not at all. */
export type ModelState = {
  readonly ground: Ground
  /** Runs a call at this second: whatever it wrote is undone when it reverts. */
  run(timestamp: number, work: () => void): ModelAnswer
  /** Answers the same and leaves nothing behind. */
  rehearse(timestamp: number, work: () => void): ModelAnswer
  snapshot(): ModelSnapshot
  restore(snapshot: ModelSnapshot): void
}

export function createModelState(deployment: ModelDeployment): ModelState {
  const tables = new Map<string, Cell>()
  let undo: (() => void)[] = []
  let events: ModelEvent[] = []
  let now = 0
  const table = (name: string): Cell => {
    const known = tables.get(name) ?? new Map<string, unknown>()
    tables.set(name, known)
    return known
  }
  const ground: Ground = {
    deployment,
    now: () => now,
    // What is read was put under the same name by the code beside it.
    get: <T>(name: string, key: string, otherwise: T) => (table(name).get(key) ?? otherwise) as T,
    put: (name, key, value) => {
      const cell = table(name)
      const before = cell.get(key)
      undo.push(() => {
        if (before === undefined) cell.delete(key)
        else cell.set(key, before)
      })
      cell.set(key, value)
    },
    emit: (event) => {
      events.push(event)
    },
  }
  const takeBack = (): void => {
    for (const one of undo.toReversed()) one()
    undo = []
  }
  const run = (timestamp: number, work: () => void): ModelAnswer => {
    undo = []
    events = []
    now = timestamp
    try {
      work()
      return { outcome: 'success', events }
    } catch (error) {
      if (!(error instanceof Revert)) throw error
      takeBack()
      return { outcome: 'reverted', revert: error.revert }
    }
  }
  return {
    ground,
    run,
    rehearse(timestamp, work) {
      const answer = run(timestamp, work)
      takeBack()
      return answer
    },
    snapshot: () => new Map([...tables].map(([name, cell]) => [name, new Map(cell)])),
    restore(snapshot) {
      tables.clear()
      for (const [name, cell] of snapshot) tables.set(name, new Map(cell))
    },
  }
}
