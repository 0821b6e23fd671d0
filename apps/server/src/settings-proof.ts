import { setTimeout as pause } from 'node:timers/promises'
import type { Proof } from './adapters/proof/prove-settings.ts'
import { ConfigError } from './config/config-error.ts'
import type { ProcessLog } from '@ergon/process'
import { createLoop } from './workers/loop.ts'

export type SettingsProof = AsyncDisposable & {
  /** What is wrong as far as was seen last; empty while nothing is known to be. */
  faults(): readonly string[]
}

const unprovenMs = 5_000
/** So long is what was started together with this process waited for. */
const startingMs = 2_000
const startingPauseMs = 50
const provenMs = 60_000

/**
 * Proves the settings of this process against what the nodes and the facilitator say of themselves, now and from then
 * on: either may be started later, or again with other settings.
 * @throws ConfigError when they contradict each other now
 */
export async function startSettingsProof(
  provers: readonly { prove(): Promise<Proof> }[],
  log: Pick<ProcessLog, 'warn' | 'error' | 'info'>,
): Promise<SettingsProof> {
  const prove = () => proveAll(provers)
  let last = await proveAtStart(prove)
  const wrong = wrongAtStart(last)
  if (wrong.length > 0) throw new ConfigError(wrong.join('; '))
  if (last.silent.length > 0)
    log.warn(`${last.silent.join(' and ')} cannot be reached; payments wait, and the settings are not proven yet`)
  let askedAt = performance.now()
  const loop = createLoop({
    name: 'prove-settings',
    intervalMs: unprovenMs,
    async run() {
      if (last.silent.length === 0 && last.faults.length === 0 && performance.now() - askedAt < provenMs) return 0
      const [before, strangers] = [last.faults.join('; '), strangersIn(last)]
      last = await prove()
      askedAt = performance.now()
      const now = last.faults.join('; ')
      // It is not asked, so that its network goes on with other nodes or waits, and the others go on in any case.
      if (strangersIn(last) !== strangers && strangersIn(last) !== '') log.error(strangersIn(last))
      if (now !== before && now !== '') log.error(`the settings contradict each other: ${now}`)
      if (now !== before && now === '') log.info('the settings agree again')
      return 0
    },
    onError: (_name, error) => {
      log.warn({ err: error }, 'the settings could not be proven')
    },
  })
  return { faults: () => last.faults, [Symbol.asyncDispose]: () => loop[Symbol.asyncDispose]() }
}

/** Asks again while a part is silent: it may be starting, too. */
async function proveAtStart(prove: () => Promise<Proof>): Promise<Proof> {
  const until = performance.now() + startingMs
  for (;;) {
    const proof = await prove()
    if (wrongAtStart(proof).length > 0 || proof.silent.length === 0 || performance.now() > until) return proof
    await pause(startingPauseMs)
  }
}

async function proveAll(provers: readonly { prove(): Promise<Proof> }[]): Promise<Proof> {
  const proofs = await Promise.all(provers.map((one) => one.prove()))
  return {
    faults: proofs.flatMap(({ faults }) => faults),
    silent: proofs.flatMap(({ silent }) => silent),
    strangers: proofs.flatMap(({ strangers = [] }) => strangers),
  }
}

/** A node of another chain is a mistake of whoever set it up; later it is a node that has gone astray. */
function wrongAtStart({ faults, strangers = [] }: Proof): readonly string[] {
  return [...faults, ...strangers]
}

const strangersIn = ({ strangers = [] }: Proof): string => strangers.join('; ')
