import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { readMessage, type Fields } from './messages.ts'
import type { Entry } from './limits-of-signing.ts'

/** What a wallet signed through bridges of this machine. It outlives them, and any number of them share it. */
export interface SigningRecord {
  /** @throws CliError where it cannot be read: then nothing is signed */
  entries(): readonly Entry[]
  /**
   * Adds the line that `decide` makes of all lines before it. Where another bridge adds one in between, `decide` is
   * asked again. @throws what `decide` throws, and CliError where nothing can be written
   */
  add(decide: (entries: readonly Entry[]) => Entry): Entry
}

const mostTries = 200
/** A task and what is held for it are over by then. */
const keptSec = 400 * 86_400

/**
 * One file a line, numbered without a gap. A number is taken by linking to it, which only one of several bridges can
 * do, and that one has seen every line before: there is no lock that a crash could leave behind.
 */
export function openSigningRecord(folder: string): SigningRecord {
  const place = (number: number): string => join(folder, `${String(number).padStart(9, '0')}.json`)
  const read = (): Numbered => readAll(folder)
  const append = (number: number, entry: Entry): boolean => {
    const draft = join(folder, `${randomUUID()}.new`)
    try {
      writeDurably(draft, `${JSON.stringify(entry)}\n`)
      linkSync(draft, place(number))
      syncFolder(folder)
      return true
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false
      throw unwritable(folder, error)
    } finally {
      removeQuietly(draft)
    }
  }
  return {
    entries: () => read().entries,
    add(decide) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      for (let tries = 0; tries < mostTries; tries += 1) {
        const { entries, last, old } = read()
        const entry = decide(entries)
        if (!append(last + 1, entry)) continue
        for (const number of old) removeQuietly(place(number))
        return entry
      }
      throw unwritable(folder, new Error('other bridges write without a pause'))
    },
  }
}

type Numbered = { readonly entries: readonly Entry[]; readonly last: number; readonly old: readonly number[] }

function readAll(folder: string): Numbered {
  const numbers = namesIn(folder)
    .flatMap((name) => (/^[0-9]{9}\.json$/.test(name) ? [Number(name.slice(0, 9))] : []))
    .sort((one, other) => one - other)
  const last = numbers.at(-1) ?? 0
  const read = numbers.flatMap((number) => {
    const entry = readEntry(join(folder, `${String(number).padStart(9, '0')}.json`))
    return entry === undefined ? [] : [{ number, entry }]
  })
  const newest = Math.max(0, ...read.map(({ entry }) => entry.at))
  const old = read.flatMap(({ number, entry }) => (number < last && entry.at < newest - keptSec ? [number] : []))
  return { entries: read.map(({ entry }) => entry), last, old }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw unreadable(folder, error)
  }
}

/** Undefined where it was old enough to be removed meanwhile. */
function readEntry(file: string): Entry | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw unreadable(file, error)
  }
  const entry: Fields = readMessage(text) ?? {}
  if (typeof entry['at'] !== 'number' || !/^[0-9]{1,30}$/.test(String(entry['counted'])))
    throw unreadable(file, new Error('it is no line of the record'))
  return entry as unknown as Entry // written by this program; what counts is checked above
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The name as well has to outlive a power cut; some systems cannot open a folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // It was never written, or another bridge was faster.
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function unreadable(where: string, cause: unknown): CliError {
  return new CliError(
    'unexpected',
    'RECORD_UNREADABLE',
    `${where}, the record of what was signed, cannot be read`,
    'Restore it from a copy: without it the limits cannot be kept.',
    { cause },
  )
}

function unwritable(where: string, cause: unknown): CliError {
  return new CliError(
    'unexpected',
    'RECORD_UNWRITABLE',
    `${where}, the record of what was signed, cannot be written`,
    'Make room there, or set ERGON_HOME to a disk that knows hard links.',
    { cause },
  )
}
