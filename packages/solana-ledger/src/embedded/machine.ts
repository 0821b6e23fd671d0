import { randomBytes } from 'node:crypto'
import { toBase58 } from '@ergon/protocols'
// The machine itself: the wrapper around it loads a whole client library to pass the same bytes on (decision 0139).
import { Account, Clock, FailedTransactionMetadata, LiteSvm, type InnerInstruction } from 'litesvm/dist/internal.js'
import { addressBytes, decodeTransaction, systemProgram, transactionId } from '@ergon/channels'
import type { LedgerAccount, Transaction, TransactionStatus } from '@ergon/channels'
import { channelProgramElf, channelProgramId } from '@ergon/channel-program'
import type { ChainClock } from './chain-clock.ts'
import type { Entry, KeptAccount, KeptSignature, LedgerLog } from './ledger-log.ts'
import { readTransactionError } from './transaction-error.ts'
import type { TransactionError } from './transaction-error.ts'

/** What running a transaction showed. */
export type Run = {
  readonly error: TransactionError | null
  readonly logs: readonly string[]
  readonly units: bigint
  /** What programs called, for each instruction of the message. */
  readonly calls: readonly (readonly RecordedCall[])[]
}

/** An instruction that a program called; accounts by their number in the message. */
export type RecordedCall = {
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
  readonly depth: number
}

/** A transaction of late, for whoever wants to look at it. Not kept over a restart. */
export type RecentTransaction = Run & { readonly slot: bigint; readonly unixSec: bigint; readonly wire: Uint8Array }

export type KnownTransaction = Pick<RecentTransaction, 'slot' | 'error'> & { readonly signature: string }

/** How many signatures are known: more than 150 slots of the machine at its fastest can hold. */
const keptSignatures = 20_000
const keptTransactions = 500
/** A log that has grown fourfold since it was last written anew, and past this, is written anew. */
const rewriteFromBytes = 8 * 1024 * 1024

type Known = { readonly slot: bigint; readonly error: TransactionError | null; isKept: boolean }

/**
 * The virtual machine with what it lacks of a ledger: recent blockhashes, signatures that count once, and a log from
 * which it is built again. Synchronous: it lives in a thread of its own.
 */
export class Machine implements Disposable {
  readonly #svm: LiteSvm
  readonly #clock: ChainClock
  readonly #log: LedgerLog | undefined
  readonly #signatures = new Map<string, Known>()
  readonly #recent = new Map<string, RecentTransaction>()
  /** Every account a change ever touched: the machine cannot list its accounts. */
  readonly #touched = new Set<string>()
  #unflushed: Known[] = []
  #flushing: NodeJS.Immediate | undefined
  #sizeAtRewrite: number
  readonly #startedAt: bigint

  constructor(clock: ChainClock, log: LedgerLog | undefined) {
    this.#clock = clock
    this.#log = log
    this.#svm = new LiteSvm()
    this.#svm.setBlockhashCheck(false)
    this.#svm.setTransactionHistory(0n)
    this.#svm.addProgram(addressBytes(channelProgramId), channelProgramElf())
    for (const entry of log?.entries ?? []) this.#apply(entry)
    log?.rewrite(this.#everything())
    this.#sizeAtRewrite = log?.size() ?? 0
    this.#startedAt = this.slot()
  }

  slot(): bigint {
    return this.#clock.slot()
  }

  unixSec(): bigint {
    return this.#clock.unixSec()
  }

  blockhashOf(slot: bigint): string {
    return this.#clock.blockhashOf(slot)
  }

  isRecent(blockhash: string): boolean {
    return this.#clock.isRecent(blockhash)
  }

  rentOf(space: bigint): bigint {
    return this.#svm.minimumBalanceForRentExemption(space)
  }

  account(address: string): (LedgerAccount & { readonly executable: boolean }) | null {
    this.#setClock()
    const account = this.#svm.getAccount(addressBytes(address))
    if (account === null || account.lamports() === 0n) return null
    return {
      owner: toBase58(account.owner()),
      data: new Uint8Array(account.data()),
      lamports: account.lamports(),
      executable: account.executable(),
      slot: this.slot(),
    }
  }

  /** Writes an account past every rule: for the ledger's first state and its faucet. */
  put(address: string, { owner, data, lamports }: Omit<LedgerAccount, 'slot'>): void {
    this.#write([address, owner, lamports.toString(), false, Buffer.from(data).toString('base64')])
    this.#record({ accounts: [this.#read(address)] })
  }

  /** Lamports from nowhere, under a signature of its own. */
  airdrop(address: string, lamports: bigint): string {
    const before = this.account(address)
    const [owner, data] = before === null ? [systemProgram, new Uint8Array()] : [before.owner, before.data]
    this.put(address, { owner, data, lamports: (before?.lamports ?? 0n) + lamports })
    const signature = toBase58(randomBytes(64))
    const known: Known = { slot: this.slot(), error: null, isKept: this.#log === undefined }
    this.#remember(signature, known)
    this.#record({ signatures: [kept(signature, known)] }, known)
    return signature
  }

  /** @returns how far the clock was moved ahead in all. */
  skip(ms: number): void {
    this.#record({ skippedMs: this.#clock.skip(ms) })
  }

  simulate(wire: Uint8Array): Run {
    const decoded = decodeTransaction(wire)
    return this.#check(decoded) ?? this.#run(wire, isVersioned(decoded), 'simulate')
  }

  /**
   * Carries a transaction out, once. One that fails is on the ledger too, and its fee is paid; one that may not enter
   * it, because its blockhash is not recent, leaves nothing.
   */
  send(wire: Uint8Array): { readonly signature: string; readonly run: Run } {
    const decoded = decodeTransaction(wire)
    const signature = transactionId(decoded)
    const refused = this.#check(decoded)
    if (refused !== undefined) return { signature, run: refused }
    const run = this.#run(wire, isVersioned(decoded), 'send')
    // A transaction without valid signatures, or whose payer cannot pay, is on no ledger.
    if (typeof run.error === 'string') return { signature, run }
    const known: Known = { slot: this.slot(), error: run.error, isKept: this.#log === undefined }
    this.#remember(signature, known)
    this.#recent.set(signature, { ...run, slot: known.slot, unixSec: this.unixSec(), wire })
    trim(this.#recent, keptTransactions)
    const changed = decoded.message.accounts
      .filter(({ writable }) => writable)
      .map(({ address }) => this.#read(address))
    this.#record({ accounts: changed, signatures: [kept(signature, known)] }, known)
    return { signature, run }
  }

  /** Finalized is what survives the end of this process. */
  status(signature: string): TransactionStatus {
    const known = this.#signatures.get(signature)
    if (known === undefined) return { kind: 'unknown' }
    return { kind: known.isKept ? 'finalized' : 'processed', slot: known.slot, error: known.error }
  }

  transaction(signature: string): RecentTransaction | undefined {
    return this.#recent.get(signature)
  }

  history(address: string, limit: number, before?: string): readonly KnownTransaction[] {
    const all = [...this.#recent]
    const end = before === undefined ? all.length : all.findIndex(([signature]) => signature === before)
    const named = all
      .slice(0, Math.max(0, end))
      .filter(([, { wire }]) => decodeTransaction(wire).message.accounts.some((account) => account.address === address))
    const newest = named.reverse().slice(0, limit)
    return newest.map(([signature, { slot, error }]) => ({ signature, slot, error }))
  }

  keptFrom(): bigint {
    const [oldest] = this.#recent.values()
    return oldest === undefined || this.#recent.size < keptTransactions ? this.#startedAt : oldest.slot + 1n
  }

  /** What has changed is on disk when this returns. */
  flush(): void {
    clearImmediate(this.#flushing)
    this.#flushing = undefined
    this.#log?.flush()
    for (const known of this.#unflushed) known.isKept = true
    this.#unflushed = []
  }

  [Symbol.dispose](): void {
    this.flush()
    this.#log?.[Symbol.dispose]()
  }

  #setClock(): void {
    this.#svm.setClock(new Clock(this.slot(), 0n, 0n, 0n, this.unixSec()))
  }

  #check(transaction: Transaction): Run | undefined {
    const refusal = (error: string): Run => ({ error, logs: [], units: 0n, calls: [] })
    if (this.#signatures.has(transactionId(transaction))) return refusal('AlreadyProcessed')
    if (!this.#clock.isRecent(transaction.message.blockhash)) return refusal('BlockhashNotFound')
    // Accounts behind a table are not in the bytes, so their changes could not be kept.
    if (transaction.message.lookupTables > 0) return refusal('AddressLookupTableNotFound')
    return transaction.signatures.includes(null) ? refusal('SignatureFailure') : undefined
  }

  #run(wire: Uint8Array, isVersioned: boolean, kind: 'send' | 'simulate'): Run {
    this.#setClock()
    const result = this.#svm[`${kind}${isVersioned ? 'Versioned' : 'Legacy'}Transaction`](wire)
    const meta = 'meta' in result ? result.meta() : result
    const error = result instanceof FailedTransactionMetadata ? readTransactionError(result.toString()) : null
    const calls = meta.innerInstructions().map((of) => of.map(recorded))
    return { error, logs: meta.logs(), units: meta.computeUnitsConsumed(), calls }
  }

  #remember(signature: string, known: Known): void {
    this.#signatures.set(signature, known)
    trim(this.#signatures, keptSignatures)
  }

  #read(address: string): KeptAccount {
    const account = this.#svm.getAccount(addressBytes(address))
    this.#touched.add(address)
    if (account === null) return [address, systemProgram, '0', false, '']
    const [owner, data] = [toBase58(account.owner()), Buffer.from(account.data()).toString('base64')]
    return [address, owner, account.lamports().toString(), account.executable(), data]
  }

  #write([at, owner, lamports, executable, data]: KeptAccount): void {
    this.#touched.add(at)
    const bytes = Buffer.from(data, 'base64')
    this.#svm.setAccount(addressBytes(at), new Account(BigInt(lamports), bytes, addressBytes(owner), executable, 0n))
  }

  #apply({ accounts = [], signatures = [] }: Entry): void {
    for (const account of accounts) this.#write(account)
    for (const [signature, slot, error] of signatures)
      this.#remember(signature, { slot: BigInt(slot), error, isKept: true })
  }

  #record(entry: Entry, known?: Known): void {
    if (this.#log === undefined) return
    if (known !== undefined) this.#unflushed.push(known)
    this.#log.add(entry)
    this.#flushing ??= setImmediate(() => {
      this.flush()
      this.#rewriteWhenLong()
    })
  }

  #rewriteWhenLong(): void {
    const size = this.#log?.size() ?? 0
    if (size < rewriteFromBytes || size < this.#sizeAtRewrite * 4) return
    this.#log?.rewrite(this.#everything())
    this.#sizeAtRewrite = this.#log?.size() ?? 0
  }

  #everything(): readonly Entry[] {
    const accounts = [...this.#touched]
      .map((address) => this.#read(address))
      .filter(([, , lamports]) => lamports !== '0')
    this.#touched.clear()
    for (const [address] of accounts) this.#touched.add(address)
    const signatures = [...this.#signatures].map(([signature, known]) => kept(signature, known))
    return [{ skippedMs: this.#clock.skip(0) }, ...accounts.map((account) => ({ accounts: [account] })), { signatures }]
  }
}

/** Only a message of the legacy form begins with a count of signers, which is below 128. */
function isVersioned({ messageBytes }: Transaction): boolean {
  return (messageBytes[0] ?? 0) >= 0x80
}

function recorded(call: InnerInstruction): RecordedCall {
  const instruction = call.instruction()
  const [accounts, data] = [Array.from(instruction.accounts()), new Uint8Array(instruction.data())]
  return { program: instruction.programIdIndex(), accounts, data, depth: call.stackHeight() }
}

function kept(signature: string, { slot, error }: Known): KeptSignature {
  return [signature, slot.toString(), error]
}

function trim(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
