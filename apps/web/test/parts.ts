/** What a test does in whichever browser: Playwright's pages can do it, and those of WebKit (see `webkit-page.ts`). */
export interface Within {
  getByRole(role: string, how?: Named): Part
  getByLabel(text: string, how?: Exactly): Part
  getByText(text: string | RegExp, how?: Exactly): Part
}

export interface Part extends Within {
  filter(how: { readonly hasText: string | RegExp }): Part
  first(): Part
  last(): Part
  click(): Promise<void>
  fill(text: string): Promise<void>
  check(): Promise<void>
  selectOption(label: string): Promise<unknown>
  setInputFiles(file: GivenFile): Promise<void>
  waitFor(until?: { readonly state?: 'visible' | 'detached'; readonly timeout?: number }): Promise<void>
}

export interface Screen extends Within {
  evaluate<Answer, Given>(run: (given: Given) => Answer | Promise<Answer>, given: Given): Promise<Answer>
  waitForURL(pattern: RegExp): Promise<void>
}

export type Exactly = { readonly exact?: boolean }
export type Named = Exactly & { readonly name?: string | RegExp; readonly level?: number }
export type GivenFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

/** A person in front of a browser of whichever make. */
export type Actor = AsyncDisposable & {
  readonly page: Screen
  /** Opens an address of the app and waits until it is drawn. */
  readonly open: (path: string) => Promise<void>
  /** Signs in through the screen, with a test wallet of this browser. */
  readonly signIn: (persona: 'ada' | 'bruno') => Promise<void>
}
