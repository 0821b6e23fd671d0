import { createHash } from 'node:crypto'
import { closeSync, existsSync, fdatasyncSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { ftruncateSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { TransactionError } from './transaction-error.ts'

/** An account as it was after a change; without lamports it is gone. */
export type KeptAccount = readonly [
  address: string,
  owner: string,
  lamports: string,
  executable: boolean,
  dataBase64: string,
]
/** A transaction that was carried out, whether or not it succeeded. */
export type KeptSignature = readonly [signature: string, slot: string, error: TransactionError | null]

/** What one change wrote. `skippedMs` is how far the clock was moved ahead in all. */
export type Entry = {
  readonly accounts?: readonly KeptAccount[]
  readonly signatures?: readonly KeptSignature[]
  readonly skippedMs?: number
}

/** What a ledger is: read once, kept for its life. */
export type Header = {
  readonly format: number
  /** Base58; tells this ledger from every other one. */
  readonly genesisHash: string
  readonly genesisMs: number
}

/** The file of a ledger's changes, open for more. */
export type LedgerLog = Disposable & {
  readonly header: Header
  readonly entries: readonly Entry[]
  /** Bytes written so far. */
  readonly size: () => number
  add(entry: Entry): void
  /** What was added before is on disk when this returns. */
  flush(): void
  /** Replaces the file by one that holds these entries alone, whole or not at all. */
  rewrite(entries: readonly Entry[]): void
}

export const ledgerFormat = 1
const checksumLength = 16

/**
 * Opens the log of a ledger, or begins one. Each line carries a checksum of its text. A last line that a crash cut
 * short was never acknowledged: it is dropped. Anything else that cannot be read is refused, because what came after
 * it would build on something else.
 *
 * @throws Error with what is wrong and what to do.
 */
export function openLedgerLog(file: string, makeHeader: () => Header): LedgerLog {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const isNew = !existsSync(file) || statSync(file).size === 0
  if (isNew) replaceFile(file, lineOf(makeHeader()))
  const { header, entries, length } = readLog(file)
  let descriptor = openSync(file, 'r+')
  ftruncateSync(descriptor, length)
  let size = length
  let waiting: string[] = []
  const write = (): void => {
    if (waiting.length === 0) return
    const bytes = Buffer.from(waiting.join(''))
    waiting = []
    writeSync(descriptor, bytes, 0, bytes.length, size)
    fdatasyncSync(descriptor)
    size += bytes.length
  }
  return {
    header,
    entries,
    size: () => size,
    add: (entry) => {
      waiting.push(lineOf(entry))
    },
    flush: write,
    rewrite: (all) => {
      waiting = []
      const text = [header, ...all].map(lineOf).join('')
      replaceFile(file, text)
      closeSync(descriptor)
      descriptor = openSync(file, 'r+')
      size = Buffer.byteLength(text)
    },
    [Symbol.dispose]: () => {
      write()
      closeSync(descriptor)
    },
  }
}

function lineOf(value: Header | Entry): string {
  const text = JSON.stringify(value)
  return `${checksumOf(text)} ${text}\n`
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, checksumLength)
}

/** Written beside its place, synced and moved there; then the folder knows of it. */
function replaceFile(file: string, text: string): void {
  const draft = `${file}.new`
  const descriptor = openSync(draft, 'w', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(draft, file)
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function readLog(file: string) {
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  const cutShort = lines.pop() ?? ''
  const values = lines.map((line, index) => {
    const json = line.slice(checksumLength + 1)
    if (line.slice(0, checksumLength + 1) === `${checksumOf(json)} `) return JSON.parse(json) as unknown
    // A crash may leave the last line with its end but without its middle.
    if (index === lines.length - 1 && index > 0 && cutShort === '') return undefined
    throw new Error(
      `line ${index + 1} of ${file} is damaged: put the file aside to begin a new ledger, or bring back a copy of it`,
    )
  })
  // The checksum says that this module wrote the lines.
  const [header, ...entries] = values as [Header | undefined, ...(Entry | undefined)[]]
  if (header === undefined) throw new Error(`${file} has no first line: put it aside to begin a new ledger`)
  if (header.format !== ledgerFormat)
    throw new Error(
      `${file} has format ${header.format}, and this version reads ${ledgerFormat}: put it aside to begin a new ledger`,
    )
  const dropped = values.at(-1) === undefined ? Buffer.byteLength(lines.at(-1) ?? '') + 1 : 0
  const length = Buffer.byteLength(text) - Buffer.byteLength(cutShort) - dropped
  return { header, entries: entries.filter((entry) => entry !== undefined), length }
}
