import { isDelivered, type EndpointAnswer } from '../delivery/schedule.ts'

type Answered = { readonly answer: EndpointAnswer | null; readonly body: string; readonly error: string | null }

/**
 * Why what came back proves nothing; null when it proves that the URL is its owner's. The token has to be the whole
 * body, or a member of the object that is the body: whoever merely echoes what it got does not pass, for there it is
 * deeper.
 */
export function unprovenBy({ answer, body, error }: Answered, token: string): string | null {
  if (!isDelivered(answer)) return error ?? 'the answer is not 2xx'
  const text = body.trim()
  return text === token || tokenOf(text) === token ? null : (error ?? 'the answer is not the token')
}

function tokenOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
    return typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string'
      ? value.token
      : ''
  } catch {
    return ''
  }
}
