/** The wallet of the session is here and shows another account than the one that is signed in. */
export class OtherAccount extends Error {
  override readonly name = 'OtherAccount'
  readonly shown: string
  readonly needed: string

  constructor(shown: string, needed: string) {
    super('the wallet shows another account')
    this.shown = shown
    this.needed = needed
  }
}
