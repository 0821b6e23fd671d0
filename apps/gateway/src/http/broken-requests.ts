import { createBrokenRequests, type BrokenReason } from '@ergon/process'
import { Refusal } from '../errors.ts'
import { problemOf, problemType } from './say.ts'

const refusals: Readonly<Record<BrokenReason, Refusal>> = {
  headers_too_large: new Refusal(431, 'headers_too_large', 'the target and the headers together are too large'),
  too_late: new Refusal(408, 'request_timeout', 'the request did not arrive in time'),
  no_request: new Refusal(400, 'bad_request', 'this is not an HTTP request'),
}

/** What is no request is refused as a problem, like everything else. */
export const brokenRequests = (): ReturnType<typeof createBrokenRequests> =>
  createBrokenRequests((reason) => ({
    status: refusals[reason].status,
    headers: { 'content-type': problemType },
    body: JSON.stringify(problemOf(refusals[reason])),
  }))
