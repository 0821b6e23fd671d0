// Apart, so that a page whose session speaks for it carries neither keys nor hashes.
export { signAuthFrame } from '@ergon/protocols'
