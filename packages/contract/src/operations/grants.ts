import * as Type from 'typebox'
import { disabledFeatures } from '../disabled-features.ts'
import { changeOfOwn, listOfOwn, operation } from '../operation.ts'
import { grant, grantId, grantLogEntry } from '../resources/grant.ts'
import { closed, nullable, open, optional, shownRows, slice, sliced } from '../schema.ts'

const { section } = disabledFeatures.oauth
const path = '/api/v1/account/grants'
// What was given can be taken back, whatever became of the wallet.
const read = { ...listOfOwn, banned: 'admitted' } as const
const change = { ...changeOfOwn, banned: 'admitted' } as const

/** Tools that a wallet let act for it: below /account, which is closed to their own tokens (spec §5, OAuth 7). */
export const grants = {
  'grants.list': operation({
    section,
    summary: 'The tools that the wallet let in, newest first, with what is left of what each may release.',
    access: read,
    input: closed({ ...slice }),
    output: open({
      grants: Type.Array(grant),
      ...sliced,
      total: Type.Integer({ description: 'Grants in all; they are kept for 30 days after they expired.' }),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path }],
  }),
  'grants.revoke': operation({
    section,
    summary:
      'Take one grant back: its tokens are refused everywhere within a second, and what it may release is forgotten. One that is over stays as it is.',
    access: change,
    input: closed({ grant_id: grantId() }),
    output: grant,
    success: 200,
    resend: 'again',
    errors: ['GRANT_NOT_FOUND'],
    rest: [{ method: 'DELETE', path: `${path}/{grant_id}` }],
  }),
  'grants.revokeAll': operation({
    section,
    summary: 'Take back every grant that was given before this call.',
    access: change,
    input: closed({}),
    output: open({
      revoked: Type.Integer({ description: 'Grants that this call ended; 0 when none was left.' }),
    }),
    success: 200,
    resend: 'again',
    sameWordsAnew: true,
    errors: [],
    rest: [{ method: 'DELETE', path }],
  }),
  'grants.log': operation({
    section,
    summary:
      'What tools were allowed and did with it, newest first: consents, tokens, steps up, approvals, revocations; kept for 400 days.',
    access: read,
    input: closed({
      ...slice,
      cursor: optional(
        Type.String({ pattern: '^[0-9]{1,18}$', description: 'Place to go on from, as `next_cursor` gave it.' }),
      ),
    }),
    output: open({
      entries: Type.Array(grantLogEntry),
      ...shownRows,
      next_cursor: nullable(Type.String()),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: `${path}/log` }],
  }),
}
