import { webhookCatalogue } from '../webhooks.ts'
import type { Components } from './components.ts'

type Json = Record<string, unknown>

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const parameters: readonly Json[] = [
  header('webhook-id', 'Names the delivery; the same in every attempt.'),
  header('webhook-timestamp', 'Seconds since 1970; refuse what is older than five minutes.'),
  header('webhook-signature', 'One or more signatures, separated by blanks; one of them has to be good.'),
]

/** The `webhooks` of a document: every body that an endpoint of a caller is sent (spec §6). */
export function webhookItems(components: Components): Json {
  return Object.fromEntries(
    webhookCatalogue().map(({ type, schema }) => {
      const { $schema: _dialect, ...body } = schema
      const says = typeof body['description'] === 'string' ? body['description'] : `Sent when ${type} happens.`
      return [
        type,
        {
          post: {
            operationId: `webhook.${type}`,
            tags: ['webhooks'],
            summary: says,
            description: `${says} Answer 2xx within ten seconds; anything else is sent again, and may come twice.`,
            parameters,
            requestBody: {
              required: true,
              content: { 'application/json': { schema: components.named(`${pascal(type)}Webhook`, body) } },
            },
            responses: {
              '2XX': { description: 'Taken.' },
              '410': { description: 'Nobody is here any more: the endpoint is disabled.' },
            },
            security: [],
          },
        },
      ]
    }),
  )
}

/** `tasks.assignChallenge` as `TasksAssignChallenge`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())
