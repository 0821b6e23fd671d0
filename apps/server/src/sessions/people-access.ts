import type { Origins } from './origins.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'

/** How people come in and go. */
export type PeopleAccess = { readonly signIn: SignIn; readonly sessions: Sessions; readonly origins: Origins }
