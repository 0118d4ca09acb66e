const defaultPageSize = 20;
const maximumPageSize = 100;

export interface Page<T> {
  readonly items: readonly T[];
  /** `links` and `meta` of the answer; empty when the request asked for no page. */
  readonly envelope: Record<string, unknown>;
}

/**
 * Cuts the page that `page[number]` and `page[size]` ask for. When the URL names neither: the first page of a list that is
 * `always` paged, all items of any other.
 */
export function paginate<T>(items: readonly T[], requestUrl: string, { always = false } = {}): Page<T> {
  const url = new URL(requestUrl);
  const number = url.searchParams.get("page[number]");
  const size = url.searchParams.get("page[size]");
  if (number === null && size === null && !always) return { items, envelope: {} };

  const current = positiveInteger(number) ?? 1;
  const pageSize = Math.min(positiveInteger(size) ?? defaultPageSize, maximumPageSize);
  const totalPages = Math.ceil(items.length / pageSize);
  const previous = current > 1 && current <= totalPages ? current - 1 : null;
  const next = current < totalPages ? current + 1 : null;
  const link = (page: number | null) => (page === null ? null : pageLink(url, page, pageSize));
  return {
    items: items.slice((current - 1) * pageSize, current * pageSize),
    envelope: {
      links: {
        self: link(current),
        first: link(1),
        prev: link(previous),
        next: link(next),
        last: link(Math.max(totalPages, 1)),
      },
      meta: {
        pagination: {
          "current-page": current,
          "page-size": pageSize,
          "prev-page": previous,
          "next-page": next,
          "total-pages": totalPages,
          "total-count": items.length,
        },
      },
    },
  };
}

function positiveInteger(text: string | null): number | undefined {
  if (text === null || !/^\d+$/.test(text) || Number(text) === 0) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

function pageLink(url: URL, page: number, pageSize: number): string {
  const others = [...url.searchParams].filter(([name]) => !name.startsWith("page["));
  const asked = others.map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("");
  return `${url.origin}${url.pathname}?page%5Bnumber%5D=${page}&page%5Bsize%5D=${pageSize}${asked}`;
}
