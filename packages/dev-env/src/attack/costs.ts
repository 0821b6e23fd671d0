import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { localRoles } from '@ergon/contracts'
import type { Target } from './target.ts'

/** What something cost the service. */
export type Cost = {
  readonly cpuMs: number
  readonly gas: number
  readonly diskBytes: number
  readonly seconds: number
}

/** Where counting began. */
type Mark = {
  readonly cpu: ReadonlyMap<number, number>
  readonly block: number
  readonly bytes: number
  readonly at: number
}

export type Meter = { /** Since it was made. */ read(): Promise<Cost> }

/** A tick of /proc, as every Linux that Node runs on has it. */
const tickMs = 10

/**
 * Reads what server and facilitator use with all their processes, what the facilitator's account pays for, and what the
 * data folder holds.
 */
export async function startMeter(target: Target): Promise<Meter> {
  const pids = [target.pids.server, target.pids.facilitator]
  const mark: Mark = {
    cpu: cpuOf(pids),
    block: await blockOf(target),
    bytes: bytesIn(join(target.dataDir, 'server')),
    at: performance.now(),
  }
  return {
    async read() {
      const seconds = (performance.now() - mark.at) / 1_000
      const cpuMs = [...cpuOf(pids)].reduce((sum, [pid, ms]) => sum + Math.max(0, ms - (mark.cpu.get(pid) ?? 0)), 0)
      return {
        cpuMs,
        seconds,
        gas: await gasSince(target, mark.block),
        diskBytes: Math.max(0, bytesIn(join(target.dataDir, 'server')) - mark.bytes),
      }
    },
  }
}

/** By process, in milliseconds: each with those of its children that ended, and every child that lives. */
function cpuOf(roots: readonly number[]): ReadonlyMap<number, number> {
  const all = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const read = /^\d+$/.test(name) ? statOf(name) : undefined
    if (read !== undefined) all.set(Number(name), read)
  }
  const own = new Map<number, number>()
  const add = (pid: number): void => {
    const found = all.get(pid)
    if (found === undefined) return
    own.set(pid, found.ms)
    for (const [child, { parent }] of all) if (parent === pid) add(child)
  }
  for (const root of roots) add(root)
  return own
}

type Stat = { readonly parent: number; /** With children that ended. */ readonly ms: number; readonly own: number }

function statOf(pid: string): Stat | undefined {
  try {
    // The name of the program is in parentheses and may hold spaces; state and parent follow it.
    const fields = (readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ').map(Number)
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15)
    return {
      parent: fields[1] ?? 0,
      ms: (user + system + userOfEnded + systemOfEnded) * tickMs,
      own: (user + system) * tickMs,
    }
  } catch {
    return undefined // it ended meanwhile
  }
}

const blockOf = async ({ rpc }: Target): Promise<number> => Number(await rpc('eth_blockNumber', []))

type Receipt = { readonly from: string; readonly gasUsed: string }

/** What the facilitator's account used in the blocks since. */
async function gasSince(target: Target, first: number): Promise<number> {
  const last = await blockOf(target)
  let gas = 0
  for (let block = first + 1; block <= last; block += 1) {
    const receipts = (await target.rpc('eth_getBlockReceipts', [`0x${block.toString(16)}`])) as
      readonly Receipt[] | null // the node's word
    for (const { from, gasUsed } of receipts ?? [])
      if (from.toLowerCase() === localRoles.facilitator.address.toLowerCase()) gas += Number(gasUsed)
  }
  return gas
}

function bytesIn(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
      (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
      0,
    )
  } catch {
    return 0 // there is none yet, or a file was swept meanwhile
  }
}

/** Milliseconds of CPU that one process has used by itself. */
export function cpuOfProcess(pid: number): number {
  return statOf(String(pid))?.own ?? 0
}
