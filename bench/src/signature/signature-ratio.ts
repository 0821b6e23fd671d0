import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median } from '../measure/median.ts'
import type { Measured } from '../report.ts'
import type { SideName, SideRun } from './side.ts'

const perRound: Record<SideName, number> = { ours: 8_000, reference: 400 }
const warmup: Record<SideName, number> = { ours: 10_000, reference: 500 }
const rounds = 5

/** Full verification of a POST of 1 KiB, ours against the reference package, each in a process of its own, in turn. */
export async function measureSignatureRatio(): Promise<Measured> {
  const main = fileURLToPath(new URL('./side.ts', import.meta.url))
  const sides = { ours: fork(main, ['ours']), reference: fork(main, ['reference']) }
  try {
    await ask(sides.ours, warmup.ours)
    await ask(sides.reference, warmup.reference)
    const perSecond: Record<SideName, number[]> = { ours: [], reference: [] }
    for (let round = 0; round < rounds; round += 1) {
      for (const name of ['ours', 'reference'] as const)
        perSecond[name].push(rate(await ask(sides[name], perRound[name])))
    }
    const [ours, reference] = [median(perSecond.ours), median(perSecond.reference)]
    return {
      signature_ratio: median(perSecond.ours.map((value, round) => value / (perSecond.reference[round] ?? reference))),
      signature_verifications_per_cpu_second: ours,
      reference_signature_verifications_per_cpu_second: reference,
    }
  } finally {
    for (const child of Object.values(sides)) child.kill()
  }
}

function rate({ verifications, cpuUs }: SideRun): number {
  return (verifications * 1e6) / cpuUs
}

async function ask(child: ChildProcess, count: number): Promise<SideRun> {
  const stop = new AbortController()
  try {
    const ended = once(child, 'exit', stop).then((): never => {
      throw new Error('a side of the signature bench ended by itself')
    })
    const answer = once(child, 'message', stop)
    child.send(count)
    // The child sends nothing else.
    return (await Promise.race([answer, ended]))[0] as SideRun
  } finally {
    stop.abort()
  }
}
