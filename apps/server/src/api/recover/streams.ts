import { done } from '../../dispatch/handlers.ts'
import { presentStream } from '../present/meter.ts'
import type { RecoveriesOf, RecoveryDeps } from './recoveries.ts'

/** A session that was begun is shown, and not begun a second time. */
export function recoverStreams({ market }: RecoveryDeps): RecoveriesOf<'streams'> {
  return {
    'streams.start': async (_call, _input, { task }) =>
      task === undefined ? null : done(presentStream(await market.readStream(task))),
  }
}
