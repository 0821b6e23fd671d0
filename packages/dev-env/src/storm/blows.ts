import { oneOf, wholeBetween, type Random } from './random.ts'
import type { Member, Stage } from './stage/stage.ts'

/** What befalls a whole process or all lines of one. */
export const blowKinds = ['kill', 'freeze', 'crash', 'terminate', 'close'] as const
export type BlowKind = (typeof blowKinds)[number]

/** One blow of the schedule: when, upon whom, for how long. */
export type Blow = { readonly atMs: number; readonly kind: BlowKind; readonly target: string; readonly lastsMs: number }

export type BlowPlan = {
  readonly random: Random
  readonly seconds: number
  /** The processes by name; PostgreSQL and the chain are known. */
  readonly members: readonly string[]
  readonly isWanted: (kind: BlowKind, target: string) => boolean
}

/** The node is frozen and never killed: one that forgets blocks is another world, and the simulation's. */
export function planBlows({ random, seconds, members, isWanted }: BlowPlan): readonly Blow[] {
  const targets: Readonly<Record<BlowKind, readonly string[]>> = {
    kill: members,
    freeze: [...members, 'postgres', 'chain'],
    crash: ['postgres'],
    terminate: ['ergon', 'facilitator'],
    close: members.flatMap((name) =>
      ['db', 'rpc', ...(name.startsWith('server') ? ['http'] : [])].map((line) => `${name}:${line}`),
    ),
  }
  const choices = blowKinds.flatMap((kind) => {
    const of = targets[kind].filter((target) => isWanted(kind, target))
    return of.length === 0 ? [] : [{ kind, of }]
  })
  const blows: Blow[] = []
  if (choices.length === 0) return blows
  for (
    let atMs = 2_000 + 1_000 * random();
    atMs < seconds * 1_000 - 1_000;
    atMs += wholeBetween(random, 2_500, 6_000)
  ) {
    const { kind, of } = oneOf(random, choices)
    blows.push({
      atMs,
      kind,
      target: oneOf(random, of),
      lastsMs: kind === 'freeze' || kind === 'close' ? wholeBetween(random, 500, 6_000) : 0,
    })
  }
  return blows
}

/** Carries one blow out; it is over when the promise is. */
export async function strikeBlow(stage: Stage, { kind, target, lastsMs }: Blow): Promise<void> {
  switch (kind) {
    case 'kill':
      return memberOf(stage, target).process.kill()
    case 'crash':
      return stage.database.crash('SIGQUIT')
    case 'terminate':
      await stage.database.terminate(target)
      return
    case 'close':
      return closeLine(stage, target, lastsMs)
    case 'freeze':
      if (target === 'postgres') return stage.database.freeze(lastsMs)
      if (target !== 'chain') return memberOf(stage, target).process.freeze(lastsMs)
      process.kill(stage.chain.pid, 'SIGSTOP')
      await new Promise((resolve) => setTimeout(resolve, lastsMs))
      process.kill(stage.chain.pid, 'SIGCONT')
  }
}

async function closeLine(stage: Stage, target: string, ms: number): Promise<void> {
  const [name = '', which = ''] = target.split(':')
  const { lines } = memberOf(stage, name)
  const line = which === 'http' ? lines.http : which === 'rpc' ? lines.rpc : lines.db
  line?.close()
  await new Promise((resolve) => setTimeout(resolve, ms))
  line?.open()
}

function memberOf(stage: Stage, name: string): Member {
  const member = stage.members.get(name)
  if (member === undefined) throw new Error(`there is no ${name} here`)
  return member
}
