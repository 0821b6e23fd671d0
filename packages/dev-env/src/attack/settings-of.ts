import { ask } from './ask.ts'
import type { Target } from './target.ts'

const known = ['rates.anonymous_per_minute', 'rates.wallet_per_minute', 'rates.publish_per_hour'] as const

/** The limits as the service has them now. @throws when one of them is none: what has no limit cannot be held by it */
export async function settingsOf({
  url,
  adminKey,
}: Pick<Target, 'url' | 'adminKey'>): Promise<Readonly<Record<(typeof known)[number], number>>> {
  const { body } = await ask(url, {
    method: 'GET',
    target: '/api/v1/admin/config',
    headers: { 'x-admin-key': adminKey },
  })
  const text = JSON.stringify(body)
  const read = (name: string): number => {
    const value = valueOf(body, name)
    if (typeof value !== 'number' || value < 1) throw new Error(`${name} is no limit: ${text.slice(0, 300)}`)
    return value
  }
  return {
    'rates.anonymous_per_minute': read(known[0]),
    'rates.wallet_per_minute': read(known[1]),
    'rates.publish_per_hour': read(known[2]),
  }
}

/** A setting, however deep the answer holds it. */
function valueOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if ('key' in value && value.key === name && 'value' in value) return value.value
  return Object.values(value)
    .map((inner) => valueOf(inner, name))
    .find((found) => found !== undefined)
}
