import type { Input } from '@ergon/sdk'

/** What people write about themselves, as the form holds it. */
export type ProfileDraft = {
  readonly name: string
  readonly bio: string
  readonly avatar: string
  readonly able: string
}

/** The profile as the account keeps it. */
export function profileOf(kept: Readonly<Record<string, unknown>> | null): ProfileDraft {
  const text = (name: string): string => {
    const value = kept?.[name]
    return typeof value === 'string' ? value : ''
  }
  const able = kept?.['capabilities']
  return {
    name: text('display_name'),
    bio: text('bio'),
    avatar: text('avatar_url'),
    able: Array.isArray(able) ? able.join(', ') : '',
  }
}

type Changes = Omit<NonNullable<Input<'workers.update'>>, 'executor_id'>

/** Only what differs from what is kept; what was emptied is cleared, and nothing else. */
export function profileChanges(known: ProfileDraft, draft: ProfileDraft): Changes {
  const [bio, avatar] = [draft.bio.trim(), draft.avatar.trim()]
  const capabilities = wordsOf(draft.able)
  return {
    ...(draft.name.trim() === known.name ? {} : { name: draft.name.trim() }),
    ...(bio === known.bio ? {} : { bio: bio === '' ? null : bio }),
    ...(avatar === known.avatar ? {} : { avatar_url: avatar === '' ? null : avatar }),
    ...(capabilities.join() === wordsOf(known.able).join()
      ? {}
      : { capabilities: capabilities.length === 0 ? null : capabilities }),
  }
}

/** Words as the service keeps them: small letters without accents. */
const wordsOf = (able: string): string[] =>
  able
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[\s,]+/)
    .filter((one) => one !== '')
