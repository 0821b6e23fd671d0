/** Loaded with the first request that a wallet signs: who comes with a session never carries it. */
export { signRequest } from '@ergon/protocols'
