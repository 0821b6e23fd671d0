import * as Type from 'typebox'
import { operation } from '../operation.ts'
import { pictureUrl } from '../resources/picture.ts'
import { chainId, closed, id, instant, nullable, open, optional, text, wallet } from '../schema.ts'
import { limits } from '../vocabulary.ts'

const section = 'auth'
const path = '/api/v1/auth/session'

export const auth = {
  'auth.nonce': operation({
    section: 'auth',
    summary: 'A fresh nonce for a signed request; making your own is just as good.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({ nonce: Type.String(), ttl_seconds: Type.Integer(), message: Type.String() }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/auth/nonce' }],
  }),
  'auth.signingPolicy': operation({
    section: 'auth',
    summary: 'The signing policy as it is enforced; it outranks every example.',
    access: { by: 'anyone' },
    readBeforeSigning: true,
    input: closed({}),
    output: Type.Record(Type.String(), Type.Unknown()),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/auth/erc8128/info' }],
  }),
  'auth.info': operation({
    section: 'auth',
    summary: 'Every way to authenticate and whether it is on.',
    access: { by: 'anyone' },
    input: closed({}),
    output: open({
      modes: Type.Array(open({ name: Type.String(), enabled: Type.Boolean(), description: Type.String() })),
      paybox_connect: Type.Boolean(),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/auth/info' }],
  }),
  'auth.sessionChallenge': operation({
    section,
    summary: 'The EIP-4361 text that a wallet signs to sign in.',
    access: { by: 'anyone' },
    input: closed({ wallet: wallet('Who signs in.'), chain_id: optional(chainId()) }),
    output: open({
      message: Type.String({ description: 'Sign exactly this, by personal_sign.' }),
      nonce: Type.String(),
      expires_at: instant('Sign and send before this.'),
    }),
    success: 200,
    resend: 'unkeyed',
    errors: ['NETWORK_NOT_ACCEPTED', 'ORIGIN_NOT_ALLOWED'],
    rest: [{ method: 'POST', path: `${path}/challenge` }],
  }),
  'auth.openSession': operation({
    section,
    summary: 'Sign in: the answer sets the session cookie.',
    access: { by: 'anyone' },
    input: closed({
      message: text('The text as it was handed out.', 1, limits.signInMessageMax),
      signature: Type.String({
        pattern: '^0x([0-9a-fA-F]{2})+$',
        minLength: 132,
        maxLength: limits.paymentAuthMax,
        description: 'By the wallet (EIP-191), or what a contract wallet accepts (ERC-1271).',
      }),
    }),
    output: open({ wallet: wallet('Who is signed in.'), expires_at: instant('When the session ends.') }),
    success: 201,
    resend: 'unkeyed',
    errors: [
      'SIGN_IN_REFUSED',
      'ACCOUNT_PROOF_DIFFERS',
      'ORIGIN_NOT_ALLOWED',
      'identity_check_unavailable',
      'nonce_store_unavailable',
    ],
    rest: [{ method: 'POST', path }],
  }),
  'auth.readSession': operation({
    section,
    summary: 'Who is asking; nobody when neither a session nor a signature says so.',
    access: { by: 'anyone', session: true },
    input: closed({}),
    output: open({
      wallet: nullable(wallet('Who is asking.')),
      executor_id: nullable(id('The caller as a worker; null when it never worked.')),
      picture_url: pictureUrl('the caller'),
      expires_at: nullable(instant('When the session ends; null without one.')),
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path }],
  }),
  'auth.closeSession': operation({
    section,
    summary: 'Sign out: the session is over everywhere.',
    access: { by: 'session', banned: 'admitted' },
    input: closed({}),
    output: open({ wallet: nullable(wallet('Nobody.')) }),
    success: 200,
    resend: 'again',
    errors: [],
    rest: [{ method: 'DELETE', path }],
  }),
}
