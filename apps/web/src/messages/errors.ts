import type { ErrorCode } from '@ergon/contract'
import type { Language } from '../lib/language.ts'
import { shortAddress } from '../lib/short-address.ts'
import type { OtherAccount } from '../wallet/other-account.ts'
import { errorTextOf, type ErrorRow, type ErrorText } from './error-texts/error-text.ts'
import { faultTexts } from './error-texts/fault-texts.ts'
import { lifecycleErrors } from './error-texts/lifecycle-errors.ts'
import { channelErrors } from './error-texts/channel-errors.ts'
import { moneyErrors } from './error-texts/money-errors.ts'
import { partyErrors } from './error-texts/party-errors.ts'
import { requestErrors } from './error-texts/request-errors.ts'
import { serviceErrors } from './error-texts/service-errors.ts'
import { thingErrors } from './error-texts/thing-errors.ts'

export type { ErrorText }

/** Every code of the catalogue and those that the client gives itself; one without a text does not compile. */
export const errorRows: Readonly<Record<ErrorCode | 'unreachable' | 'timeout' | 'SETTLEMENT_PENDING', ErrorRow>> = {
  ...requestErrors,
  ...partyErrors,
  ...thingErrors,
  ...lifecycleErrors,
  ...moneyErrors,
  ...channelErrors,
  ...serviceErrors,
}

/** What a code of the service means to a person; undefined for a code of a newer service. */
export function textOfCode(code: string, language: Language): ErrorText | undefined {
  return isKnown(code) ? errorTextOf(errorRows[code], language) : undefined
}

/** What went wrong on this side of the wire. */
export function textOfFault(fault: string, language: Language): ErrorText {
  return errorTextOf(isFault(fault) ? faultTexts[fault] : faultTexts.unknown, language)
}

/** Which account the wallet shows, and which one is needed. */
export function textOfOtherAccount({ shown, needed }: OtherAccount, language: Language): ErrorText {
  const { says, doNow } = errorTextOf(faultTexts.OtherAccount, language)
  return {
    says,
    doNow: doNow.replace('{shown}', shortAddress(shown)).replace('{needed}', shortAddress(needed)),
  }
}

const isKnown = (code: string): code is keyof typeof errorRows => Object.hasOwn(errorRows, code)
const isFault = (fault: string): fault is keyof typeof faultTexts => Object.hasOwn(faultTexts, fault)
