import { errorCatalogue, type ErrorCode } from '../../errors.ts'
import {
  commonErrors,
  errorsOf,
  idempotencyErrors,
  sessionErrors,
  signatureErrors,
  writeErrors,
  type Operation,
} from '../../operation.ts'
import { cappedApprovalErrors } from '../../resources/decision.ts'
import { boundTo } from './request-text.ts'
import type { Step } from './step.ts'

/** Codes that any request can meet. */
const everywhere: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...commonErrors,
  ...signatureErrors,
  ...idempotencyErrors,
  ...writeErrors,
  'SIGNATURE_REQUIRED',
  'WALLET_BLOCKED',
  'FEATURE_DISABLED',
])
/** Codes that a caller who signs its requests never meets: of sessions, delegated tokens and the admin key. */
const ofOthers: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...sessionErrors,
  ...cappedApprovalErrors,
  'SESSION_REQUIRED',
  'SESSION_NOT_FOR_PARTY',
  'INVALID_API_KEY',
])

/** The codes of an operation that not every other one has, for a caller who signs. */
export const ownCodes = (definition: Operation): readonly ErrorCode[] =>
  errorsOf(definition).filter((code) => !everywhere.has(code) && !ofOthers.has(code))

/** Every code that the steps can be answered with, by status, and what to do. */
export function codeList(steps: readonly Step[]): readonly string[] {
  const codes = new Set<ErrorCode>(
    steps.flatMap(({ request }) => ('put' in request ? [] : errorsOf(boundTo(request.operation).definition))),
  )
  return [...codes]
    .filter((code) => !ofOthers.has(code))
    .map((code) => ({ code, ...errorCatalogue[code] }))
    .sort((one, other) => one.status - other.status)
    .map(
      ({ code, status, retryable, recovery }) =>
        `- ${String(status)} \`${code}\`${retryable ? ', again' : ''}: ${recovery}`,
    )
}
