import { takesSession, type Access, type ErrorCode } from '@ergon/contract'

/** As whom every route is asked. */
export const roles = [
  'anonymous',
  'stranger',
  'applicant',
  'worker',
  'publisher',
  'banned',
  'strangerSession',
  'publisherSession',
  'admin',
] as const
export type Role = (typeof roles)[number]

/** What a caller is to the thing that is asked for. */
export type Standing = 'anonymous' | 'stranger' | 'applicant' | 'worker' | 'publisher'

/** `ok`: success in the shape of the contract. `empty`: the same without a row. Otherwise the code of the refusal. */
export type Verdict = 'ok' | 'empty' | ErrorCode

/** What is right for each standing; an unnamed one is treated as a stranger. */
export type Verdicts = { readonly stranger: Verdict } & { readonly [S in Exclude<Standing, 'stranger'>]?: Verdict }

export const standingOf: Readonly<Record<Role, Standing>> = {
  anonymous: 'anonymous',
  stranger: 'stranger',
  applicant: 'applicant',
  worker: 'worker',
  publisher: 'publisher',
  banned: 'stranger',
  strangerSession: 'stranger',
  publisherSession: 'publisher',
  admin: 'anonymous',
}

/** What the access of an operation says about a role before anything is looked up, else what its row says (spec §5). */
export function verdictOf(access: Access, role: Role, row: Verdicts): Verdict {
  const said = row[standingOf[role]] ?? row.stranger
  if (access.by === 'admin') return role === 'admin' ? 'ok' : 'INVALID_API_KEY'
  if (role === 'banned' && access.banned !== 'admitted') return 'WALLET_BLOCKED'
  const isSession = role === 'strangerSession' || role === 'publisherSession'
  if (access.by === 'session') return isSession ? said : 'SESSION_REQUIRED'
  if (role === 'admin' && access.by === 'wallet' && access.admin === true) return 'ok'
  const isNobody = role === 'anonymous' || role === 'admin' || (isSession && !takesSession(access))
  if (!isNobody) return said
  if (access.by === 'wallet' && access.unsigned === 200) return 'empty'
  if (access.by === 'wallet') return access.unsigned === 401 ? 'UNAUTHORIZED' : 'SIGNATURE_REQUIRED'
  return row.anonymous ?? row.stranger
}
