/**
 * Files that tools wrote, by their paths: log4brains 1.1 (docs/adr, one filled in and one not), adr 1.5 (doc/adr),
 * rulesync 3.15 (rules of agents) and keep-a-changelog 3.1. What people fill in is in them as people would.
 */
export const WRITTEN_BY_TOOLS: Readonly<Record<string, string>> = {
  'AGENTS.md': `Please also reference the following documents as needed. In this case, \`@\` stands for the project root directory.

<Documents>
  <Document>
    <Path>@.codex/memories/cart.md</Path>
    <Description>The cart</Description>
    <FilePatterns>src/cart.ts</FilePatterns>
  </Document>
</Documents>

# The shop

- Prices are whole cents, never floats
- Run \`npm test\` before each commit
`,
  'CLAUDE.md': `Please also reference the following documents as needed:

@.claude/memories/cart.md description: "The cart" globs: "src/cart.ts"
# The shop

- Prices are whole cents, never floats
- Run \`npm test\` before each commit
`,
  '.cursor/rules/cart.mdc': `---
description: The cart
globs: src/cart.ts
---

# The cart

- The cart is written on each change
`,
  '.cursor/rules/overview.mdc': `---
description: The shop
globs: **/*
---

# The shop

- Prices are whole cents, never floats
- Run \`npm test\` before each commit
`,
  '.github/copilot-instructions.md': `# Additional Conventions Beyond the Built-in Functions

As this project's AI coding tool, you must follow the additional conventions below, in addition to the built-in functions.

# The shop

- Prices are whole cents, never floats
- Run \`npm test\` before each commit
`,
  '.github/instructions/cart.instructions.md': `---
description: The cart
applyTo: src/cart.ts
---
# The cart

- The cart is written on each change
`,
  '.windsurf/rules/cart.md': `# The cart

- The cart is written on each change
`,
  '.clinerules/cart.md': `# The cart

- The cart is written on each change
`,
  'docs/adr/20260302-keep-the-cart-in-local-storage.md': `# Keep the cart in local storage

- Status: accepted <!-- optional -->
- Deciders: [list everyone involved in the decision] <!-- optional -->
- Date: 2026-03-02 <!-- optional. To customize the ordering without relying on Git creation dates and filenames -->
- Tags: [space and/or comma separated list of tags] <!-- optional -->

Technical Story: [description | ticket/issue URL] <!-- optional -->

## Context and Problem Statement

A reload emptied the cart.

## Decision Drivers <!-- optional -->

- [driver 1, e.g., a force, facing concern, …]
- [driver 2, e.g., a force, facing concern, …]
- … <!-- numbers of drivers can vary -->

## Considered Options

- Local storage
- A cookie
- A cart on the server
- … <!-- numbers of options can vary -->

## Decision Outcome

Chosen option: "Local storage", because it needs no login.

### Positive Consequences <!-- optional -->

- A reload keeps it.
- …

### Negative Consequences <!-- optional -->

- The blog does not share the cart.
- …

## Pros and Cons of the Options <!-- optional -->

### [option 1]

[example | description | pointer to more information | …] <!-- optional -->

- Good, because [argument a]
- Good, because [argument b]
- Bad, because [argument c]
- … <!-- numbers of pros and cons can vary -->

### A cookie

[example | description | pointer to more information | …] <!-- optional -->

- Good, because [argument a]
- Good, because [argument b]
- Bad, because it holds 4 kB
- … <!-- numbers of pros and cons can vary -->

### [option 3]

[example | description | pointer to more information | …] <!-- optional -->

- Good, because [argument a]
- Good, because [argument b]
- Bad, because [argument c]
- … <!-- numbers of pros and cons can vary -->

## Links <!-- optional -->

- [Link type](link to adr) <!-- example: Refined by [xxx](yyyymmdd-xxx.md) -->
- … <!-- numbers of links can vary -->
`,
  'docs/adr/20261125-prices-are-whole-cents.md': `# Prices are whole cents

- Status: [draft | proposed | rejected | accepted | deprecated | … | superseded by [xxx](yyyymmdd-xxx.md)] <!-- optional -->
- Deciders: [list everyone involved in the decision] <!-- optional -->
- Date: [YYYY-MM-DD when the decision was last updated] <!-- optional. To customize the ordering without relying on Git creation dates and filenames -->
- Tags: [space and/or comma separated list of tags] <!-- optional -->

Technical Story: [description | ticket/issue URL] <!-- optional -->

## Context and Problem Statement

[Describe the context and problem statement, e.g., in free form using two to three sentences. You may want to articulate the problem in form of a question.]

## Decision Drivers <!-- optional -->

- [driver 1, e.g., a force, facing concern, …]
- [driver 2, e.g., a force, facing concern, …]
- … <!-- numbers of drivers can vary -->

## Considered Options

- [option 1]
- [option 2]
- [option 3]
- … <!-- numbers of options can vary -->

## Decision Outcome

Chosen option: "[option 1]", because [justification. e.g., only option, which meets k.o. criterion decision driver | which resolves force force | … | comes out best (see below)].

### Positive Consequences <!-- optional -->

- [e.g., improvement of quality attribute satisfaction, follow-up decisions required, …]
- …

### Negative Consequences <!-- optional -->

- [e.g., compromising quality attribute, follow-up decisions required, …]
- …

## Pros and Cons of the Options <!-- optional -->

### [option 1]

[example | description | pointer to more information | …] <!-- optional -->

- Good, because [argument a]
- Good, because [argument b]
- Bad, because [argument c]
- … <!-- numbers of pros and cons can vary -->

### [option 2]

[example | description | pointer to more information | …] <!-- optional -->

- Good, because [argument a]
- Good, because [argument b]
- Bad, because [argument c]
- … <!-- numbers of pros and cons can vary -->

### [option 3]

[example | description | pointer to more information | …] <!-- optional -->

- Good, because [argument a]
- Good, because [argument b]
- Bad, because [argument c]
- … <!-- numbers of pros and cons can vary -->

## Links <!-- optional -->

- [Link type](link to adr) <!-- example: Refined by [xxx](yyyymmdd-xxx.md) -->
- … <!-- numbers of links can vary -->
`,
  'doc/adr/0002-prices-are-whole-cents.md': `# 2. Prices are whole cents

Date: 2026-03-03

## Status

2026-03-03 proposed

2026-03-03 accepted

## Context

Sums of floats were off by one cent.

## Decision

Prices are whole cents in \`src/total.ts\`.

## Consequences

The importer multiplies by 100.
`,
  'doc/adr/0001-keep-the-cart-in-local-storage.md': `# 1. Keep the cart in local storage

Date: 2026-03-04

## Status

2026-03-04 proposed

## Context

Context here...

## Decision

Decision here...

## Consequences

Consequences here...
`,
  'CHANGELOG.md': `# Changelog
All notable changes to this project will be documented in this file.

The format is based on [Keep a Changelog](https://keepachangelog.com/)
and this project adheres to [Semantic Versioning](https://semver.org/).

## 1.1.0 - 2026-03-02
### Added
- A button

### Changed
- The cart is kept in \`src/cart.ts\`, in local storage

### Fixed
- Totals are no longer off by one cent

## 1.0.0 - 2026-02-01
### Removed
- The cookie that held the cart
`,
};

/**
 * Changelogs that tools wrote: changesets 2.31 (its own form, and with a line as its form for GitHub has it), and
 * commit-and-tag-version 12.7 (conventional commits).
 */
export const CHANGELOGS_BY_TOOLS = {
  changesets: `# shop

## 2.0.1

### Patch Changes

- [#14](https://example.com/ada/shop/pull/14) [\`42ecfb6\`](https://example.com/ada/shop/commit/42ecfb6) Thanks [@ada](https://example.com/ada)! - A page reads the cart once
- Updated dependencies [d6ce55f]
  - @shop/total@1.0.1

## 2.0.0

### Major Changes

- d6ce55f: Remove \`readCart\` from \`src/cart.ts\`: carts are read with \`openCart\` now

  It returned a promise in one place and a value in another.

### Minor Changes

- d6ce55f: A button

### Patch Changes

- d6ce55f: Fix the total of a cart of more than 99 lines: prices are added as whole cents
`,
  'conventional commits': `# Changelog

All notable changes to this project will be documented in this file. See [commit-and-tag-version](https://github.com/absolute-version/commit-and-tag-version) for commit guidelines.

### [2.0.1](https://example.com/ada/shop/compare/v2.0.0...v2.0.1) (2026-11-25)


### Bug Fixes

* a page reads the cart once ([42ecfb6](https://example.com/ada/shop/commit/42ecfb69328a9d7c5584229d2f8002ef80dd7fa8))

## [2.0.0](https://example.com/ada/shop/compare/v1.0.0...v2.0.0) (2026-11-24)


### ⚠ BREAKING CHANGES

* **cart:** \`readCart\` is gone, \`openCart\` reads a cart now.

### Features

* **cart:** carts are kept in local storage ([a121abe](https://example.com/ada/shop/commit/a121abef99aba2b73fcc1363871d49ed5f4602f1)), closes [#7](https://example.com/ada/shop/issues/7)


### Bug Fixes

* **cart:** prices are added as whole cents ([8b1ba2c](https://example.com/ada/shop/commit/8b1ba2c6057c8ec089881ed994cd3a0cdbe69273)), closes [#12](https://example.com/ada/shop/issues/12)
* **cart:** a total is rounded once 8b1ba2c
`,
};
