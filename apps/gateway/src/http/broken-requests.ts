import { brokenStatus, createBrokenRequests, type BrokenReason } from '@ergon/process'
import { Refusal } from '../errors.ts'
import { problemOf, problemType } from './say.ts'

const words: Readonly<Record<BrokenReason, readonly [code: string, message: string]>> = {
  headers_too_large: ['headers_too_large', 'the target and the headers together are too large'],
  too_late: ['request_timeout', 'the request did not arrive in time'],
  no_request: ['bad_request', 'this is not an HTTP request'],
}

/** What is no request is refused as a problem, like everything else. */
export const brokenRequests = (): ReturnType<typeof createBrokenRequests> =>
  createBrokenRequests((reason) => ({
    headers: { 'content-type': problemType },
    body: JSON.stringify(problemOf(new Refusal(brokenStatus[reason], ...words[reason]))),
  }))
