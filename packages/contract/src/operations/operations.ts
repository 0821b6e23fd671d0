import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { closed, idempotencyKey, instant, nullable, open, optional } from '../schema.ts'
import { keyStates } from '../vocabulary.ts'

const name = () =>
  Type.String({ pattern: '^[a-zA-Z]+\\.[a-zA-Z]+$', maxLength: 60, description: 'Name of an operation.' })

/** What became of a call, asked by the key it was sent with. */
export const operationLookup = {
  'operations.get': operation({
    section: 'operations',
    summary: 'What became of a request you sent with an idempotency key.',
    access: { by: 'wallet', scope: 'task:read', unsigned: 403, session: true },
    input: closed({ key: idempotencyKey(), operation: optional(name()) }),
    output: open({
      key: Type.String(),
      operation: nullable(Type.String({ description: 'The latest operation called with the key.' })),
      state: Type.Enum([...keyStates], {
        description:
          'not_seen: nothing was written; in_flight: wait; done: the answer is final; in_doubt: something was written and nobody told you, send it again.',
      }),
      status: nullable(Type.Integer({ description: 'HTTP status of the answer.' })),
      answer: nullable(Type.Unknown({ description: 'The body of a success; code, message and details of a refusal.' })),
      created_at: nullable(instant('When the key was first seen.')),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/operations/{key}' }],
  }),
}
