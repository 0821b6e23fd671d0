/** Which part of the feed is to be sent again, as it was typed. */
export type ReplayDraft = {
  readonly by: 'time' | 'cursor'
  readonly from: string
  readonly to: string
  readonly since: string
}

export const emptyReplay: ReplayDraft = { by: 'time', from: '', to: '', since: '' }

/**
 * The fields of a replay, to be held against the schema of the operation. What was typed for the other way is left out.
 */
export function replayFields(
  webhookId: string,
  { by, from, to, since }: ReplayDraft,
): Readonly<Record<string, unknown>> {
  if (by === 'cursor') return { webhook_id: webhookId, since: since.trim() }
  return { webhook_id: webhookId, from: instantOf(from) ?? '', ...(to === '' ? {} : { to: instantOf(to) ?? '' }) }
}

/** A time of this browser's clock, as `datetime-local` writes it. */
function instantOf(local: string): string | undefined {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
