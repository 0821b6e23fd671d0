import { a2aChallenges } from '@ergon/contract'
import type { Caller } from '@ergon/core'
import type { Refused } from '../../dispatch/a2a-answers.ts'
import type { AnyHandler, Call } from '../../dispatch/handlers.ts'

/** What a wallet has to sign before a refused call can go through, handed out whole (spec §5, OAuth 10). */
export async function walletActionFor(
  handlers: Readonly<Record<string, AnyHandler>>,
  call: Call<Caller>,
  { action, operation, code, input }: Refused,
): Promise<Readonly<Record<string, unknown>> | null> {
  const entry = Object.entries(a2aChallenges).find(([name]) => name === operation)?.[1]
  const handler = entry === undefined ? undefined : handlers[entry.challenge]
  if (entry === undefined || handler === undefined || !entry.codes.some((one) => one === code)) return null
  const { body } = await handler(call, Object.fromEntries(entry.fields.map((field) => [field, input[field]])))
  return { kind: 'eip712', reason: code, challenge: body, how_to_return: { action, parameter: entry.signs } }
}

/** What an unsigned caller is told when it asks for a change (spec §5.1). */
export function signRequestAction(action: string, policy: string): Readonly<Record<string, unknown>> {
  return { kind: 'signed_request', reason: 'UNAUTHORIZED', policy, how_to_return: { action } }
}
