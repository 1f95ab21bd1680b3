/** Texts for a caller who has none at hand. */

export interface Topic {
  readonly title: string;
  readonly markdown: string;
}

export const TOPICS: Readonly<Record<string, Topic>> = {
  computer: {
    title: "A computer for an agent",
    markdown: `## Files

An agent's files live in a *Durable Object*. They are there when the agent wakes up,
and they outlive every computer that works on them.

## Computers

| Step | Where it happens              | What moves        |
|------|-------------------------------|-------------------|
| push | Durable Object → computer     | only what changed |
| run  | a Linux computer, over a mount | nothing           |
| pull | computer → Durable Object     | only what changed |

## A command

This page was made by:

\`\`\`sh
pandoc card.md -o card.pdf --pdf-engine=typst
\`\`\`

1. The Worker wrote \`card.md\`.
2. The computer made \`card.pdf\`.
3. The PDF came back, and a link serves it.
`,
  },
  coffee: {
    title: "Café au lait, à la maison",
    markdown: `## What you need

- 20 g of coffee, ground *medium-fine*
- 160 ml of milk, at 65 °C
- patience — about 4 minutes of it

## How long it takes

| Step   | Seconds |
|:-------|--------:|
| Grind  |      30 |
| Bloom  |      45 |
| Pour   |     150 |
| Steam  |      40 |

## The ratio

With *c* grams of coffee, use 16·*c* grams of water:

\`\`\`js
const water = (coffee) => coffee * 16;
\`\`\`

> « Le café est un breuvage qui fait dormir quand on n’en prend pas. » — Alphonse Allais
`,
  },
};
