import { decimalOf } from '../bridge/terms.ts'
import { readLimits, spent, type WrittenLimits } from '../bridge/limits-of-signing.ts'
import { usageError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { limitsOf, recordOf } from '../signing-limits.ts'

/** Shows and writes what `ergon mcp serve` may sign for. */
export const mcpLimits: Command = {
  words: ['mcp', 'limits'],
  about: 'What ergon mcp serve may sign for after you said yes; it signs no payment before both are written.',
  options: {
    'per-task': { value: 'USD', about: 'At most this for one task.' },
    'per-day': { value: 'USD', about: 'At most this in any 24 hours, all bridges of this wallet together.' },
    off: { about: 'Take them away: no payment is signed any more.' },
  },
  examples: ['ergon mcp limits --per-task 5 --per-day 20', 'ergon mcp limits', 'ergon mcp limits --off'],
  run(call, session) {
    const [perTask, perDay, isOff] = [call.text('per-task'), call.text('per-day'), call.is('off')]
    const { signing_limits: before, ...profile } = session.profile()
    if (isOff && (perTask ?? perDay) !== undefined) throw usageError('--off takes no limits beside it')
    const written = isOff ? undefined : merged(before, perTask, perDay)
    if (written !== undefined) readLimits(written)
    if (isOff || perTask !== undefined || perDay !== undefined)
      session.profiles.put(session.profileName, {
        ...profile,
        ...(written === undefined ? {} : { signing_limits: written }),
      })
    const limits = limitsOf(session.profile())
    const { ofDay } = spent(recordOf(session).entries(), '', Math.floor(Date.now() / 1_000))
    const data = {
      profile: session.profileName,
      per_task_usd: limits === null ? null : decimalOf(limits.perTask),
      per_day_usd: limits === null ? null : decimalOf(limits.perDay),
      signed_in_24_hours_usd: decimalOf(ofDay),
    }
    return Promise.resolve({
      data,
      lines:
        limits === null
          ? ['No limits: the bridge signs no payment.']
          : [
              `At most ${data.per_task_usd ?? ''} USD for one task, ${data.per_day_usd ?? ''} USD in 24 hours.`,
              `Signed in the last 24 hours: ${data.signed_in_24_hours_usd} USD.`,
            ],
    })
  },
}

/** One that is not given stays; both are needed. */
function merged(
  before: WrittenLimits | undefined,
  perTask: string | undefined,
  perDay: string | undefined,
): WrittenLimits | undefined {
  const [per_task_usd, per_day_usd] = [perTask ?? before?.per_task_usd, perDay ?? before?.per_day_usd]
  if (per_task_usd === undefined && per_day_usd === undefined) return undefined
  if (per_task_usd === undefined || per_day_usd === undefined)
    throw usageError('both limits are needed', 'Say --per-task and --per-day.')
  return { per_task_usd, per_day_usd }
}
