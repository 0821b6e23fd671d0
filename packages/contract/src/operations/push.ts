import * as Type from 'typebox'
import { newsKinds } from '../facts/news.ts'
import { changeOfOwn, listOfOwn, operation } from '../operation.ts'
import { closed, id, instant, open, optional, shortSlice, sliced, text } from '../schema.ts'

const section = 'account'
const base64url = (description: string, length: number) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', minLength: length, maxLength: length, description })
/** What to be told of, whichever way. */
export const noticeKinds = (description: string) =>
  Type.Array(Type.Enum([...newsKinds]), { minItems: 1, maxItems: newsKinds.length, uniqueItems: true, description })
export const noticeLanguage = Type.Enum(['en', 'es'], { description: 'The language of the notices.' })
const subscription = open({
  subscription_id: id('The subscription.'),
  service: Type.String({ description: 'Host of the push service of the browser.' }),
  kinds: noticeKinds('What it is told of.'),
  language: noticeLanguage,
  created_at: instant('When it was made.'),
})

export const push = {
  'push.list': operation({
    section,
    summary: "Browsers that show the wallet's notices, oldest first, and the key with which a browser subscribes.",
    access: listOfOwn,
    input: closed({ ...shortSlice }),
    output: open({
      public_key: base64url('The application server key: an uncompressed point of P-256 (RFC 8292).', 87),
      subscriptions: Type.Array(subscription),
      ...sliced,
    }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/account/push' }],
  }),
  'push.subscribe': operation({
    section,
    summary:
      'Have notices shown by a browser (Web Push): a title and a link, of the kinds named. A browser that subscribes ' +
      'again changes what it is told of; an eleventh takes the place of the oldest.',
    access: changeOfOwn,
    input: closed({
      endpoint: text('Where the push service of the browser takes messages: https, at a public address.', 8, 1_024),
      p256dh: base64url('The key of the browser, as PushSubscription gives it.', 87),
      auth: base64url('Its secret, as PushSubscription gives it.', 22),
      kinds: noticeKinds('What to be told of.'),
      language: optional(noticeLanguage),
    }),
    output: subscription,
    success: 201,
    resend: 'again',
    errors: ['WEBHOOK_URL_REFUSED'],
    rest: [{ method: 'POST', path: '/api/v1/account/push' }],
  }),
  'push.remove': operation({
    section,
    summary: 'Send a browser no more notices; if it gets none already, that is no error.',
    access: changeOfOwn,
    input: closed({ subscription_id: id('The subscription.') }),
    output: open({
      subscription_id: id('The subscription.'),
      deleted: Type.Boolean({ description: 'False: there was none.' }),
    }),
    success: 200,
    resend: 'again',
    errors: [],
    rest: [{ method: 'DELETE', path: '/api/v1/account/push/{subscription_id}' }],
  }),
}
