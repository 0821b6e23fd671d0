import { setTimeout as pause } from 'node:timers/promises'
import { ErgonError } from '@ergon/sdk'

/** How long, and what was answered meanwhile. */
export type Patience = { readonly until: number; readonly codes: Map<string, number> }

const pauseMs = 400

export class OutOfPatience extends Error {}

/**
 * Brings something about as a sane client does: it looks first, acts only when there is something to do, and looks
 * again after every failure. @throws OutOfPatience
 */
export async function insist<T>(
  patience: Patience,
  what: string,
  step: { readonly look: () => Promise<T | 'wait' | undefined>; readonly act: () => Promise<unknown> },
): Promise<T> {
  let last = ''
  while (performance.now() < patience.until) {
    try {
      const found = await step.look()
      if (found !== undefined && found !== 'wait') return found
      if (found === undefined) await step.act()
      else await pause(pauseMs)
    } catch (error) {
      if (!(error instanceof ErgonError)) throw error
      last = `${error.code} ${String(error.status)}`
      patience.codes.set(last, (patience.codes.get(last) ?? 0) + 1)
      await pause(pauseMs)
    }
  }
  throw new OutOfPatience(`${what} was not reached${last === '' ? '' : `; the last refusal was ${last}`}`)
}
