import * as Type from 'typebox'
import { mailAddressPattern } from '../facts/mail-address.ts'
import { changeOfOwn, operation, readOfOwn } from '../operation.ts'
import { closed, instant, nullable, open, optional } from '../schema.ts'
import { noticeKinds, noticeLanguage } from './push.ts'

const section = 'mail'
const address = (description: string) =>
  Type.String({ pattern: mailAddressPattern, minLength: 3, maxLength: 254, description })
const subscription = open({
  address: address('Where notices are mailed to.'),
  state: Type.Enum(['waiting', 'on'], {
    description: 'waiting: a confirmation was mailed, and nothing else is until its link was opened.',
  }),
  kinds: noticeKinds('What is mailed.'),
  language: noticeLanguage,
  asked_at: instant('When a confirmation was asked for last; its link is good for a day.'),
})

export const mail = {
  'mail.read': operation({
    section,
    summary: "Where the wallet's notices are mailed to.",
    access: readOfOwn,
    input: closed({}),
    output: open({ mail: nullable(subscription) }),
    success: 200,
    errors: [],
    rest: [{ method: 'GET', path: '/api/v1/account/mail' }],
  }),
  'mail.subscribe': operation({
    section,
    summary:
      'Have notices mailed to an address: what kind of thing happened and a link, of the kinds named. A new address ' +
      'takes the place of the last and is mailed a link to confirm; the same one again changes what is mailed.',
    access: changeOfOwn,
    sameWordsAnew: true,
    input: closed({
      address: address('One mailbox, and no name beside it.'),
      kinds: noticeKinds('What to mail.'),
      language: optional(noticeLanguage),
    }),
    output: subscription,
    success: 201,
    resend: 'again',
    errors: [],
    rest: [{ method: 'POST', path: '/api/v1/account/mail' }],
  }),
  'mail.remove': operation({
    section,
    summary: 'Mail no more notices and forget the address; if there is none, that is no error.',
    access: changeOfOwn,
    sameWordsAnew: true,
    input: closed({}),
    output: open({ deleted: Type.Boolean({ description: 'False: there was none.' }) }),
    success: 200,
    resend: 'again',
    errors: [],
    rest: [{ method: 'DELETE', path: '/api/v1/account/mail' }],
  }),
}
