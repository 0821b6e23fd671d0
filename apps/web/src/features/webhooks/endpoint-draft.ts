import type { Endpoint } from './endpoint-card.tsx'

/** What was typed about an endpoint. */
export type EndpointDraft = {
  readonly url: string
  readonly description: string
  readonly all: boolean
  readonly events: readonly string[]
}

export const emptyEndpoint: EndpointDraft = { url: '', description: '', all: true, events: [] }

export function draftOf({ url, description, events }: Pick<Endpoint, 'url' | 'description' | 'events'>): EndpointDraft {
  const all = events.includes('*')
  return { url, description: description ?? '', all, events: all ? [] : events }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of a new endpoint, to be held against the schema of the operation. */
export function createFields({ url, description, all, events }: EndpointDraft): Fields {
  return {
    ...(url.trim() === '' ? {} : { url: url.trim() }),
    events: all ? ['*'] : events,
    ...(description.trim() === '' ? {} : { description: description.trim() }),
  }
}

/** What differs from the endpoint as it is: another URL has to be verified anew, so that the same one is not sent. */
export function updateFields(
  endpoint: Pick<Endpoint, 'webhook_id' | 'url' | 'description' | 'events'>,
  draft: EndpointDraft,
): Fields {
  const url = draft.url.trim()
  const [asked, had] = [draft.all ? ['*'] : draft.events, new Set(endpoint.events)]
  const sameEvents = asked.length === had.size && asked.every((one) => had.has(one))
  const description = draft.description.trim()
  return {
    webhook_id: endpoint.webhook_id,
    ...(url === endpoint.url ? {} : { url }),
    ...(sameEvents ? {} : { events: asked }),
    ...(description === (endpoint.description ?? '') ? {} : { description: description === '' ? null : description }),
  }
}
