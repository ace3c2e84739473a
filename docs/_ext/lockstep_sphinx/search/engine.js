// The search engine. Its index is script files (ci/lockstep/site/search_index.py makes them), so that a page opened from
// disk searches, too: a table of pages and terms, which stands in one file with this and box.js, shards of the words, of
// which a query loads those it needs, and rows of names and programs, which are loaded to be shown.
"use strict";

const lockstepSearch = (() => {
  const root = new URL("..", globalThis.document?.currentScript.src ?? "file:///");
  // Chapters, labs and ladders, pages of errors, terms of the glossary, other references, names of CUDA, programs. Terms and
  // names weigh as titles in the index; what stands beside them counts little.
  const TEXT = [1, 0.8, 0.8, 0.25, 0.5, 0.02, 0.55]; // what a word in the text counts there
  const NAME = [1, 0.6, 1, 0.6, 0.6]; // and what one in a title counts
  const STEPS = 44; // of what a word says on a page
  const PAIR = 0.5; // what two words in a row count besides
  const TOGETHER = 0.5; // and two words of one question of readers
  const MOST_PAIRS = 12; // of these
  const BY_CHANCE = 0.3; // a title that holds one word of a longer question
  const OURS = 0.7; // and each of the words that stand for one of the reader's
  const MAX_SHARDS = 3; // for one beginning of a word
  const STOP = new Set(
    ("a an and are as at be been but by can do does for from has have how i if in into is it its me my no not of on or " +
      "should so than that the their them then there these they this to was we were what when where which who why will " +
      "with would you your").split(" "),
  );
  // Words of questions that say nothing of what is asked.
  const FILLER = new Set(
    ("about actually also another any anything because best between cannot cant could couldnt did didn didnt " +
      "difference different doesn doesnt don dont either ever every everything exactly explain explained explanation " +
      "find get gets getting give gives going good got had happen happens help here im inside instead isn isnt just " +
      "know let like look make makes many mean means more most much must need needs nothing once one only other others " +
      "otherwise out own per please possible properly really same seem seems some someone something specified specify " +
      "still such suddenly tell thing things though too two until us use used uses using versus very via vs want wants " +
      "whats while within without won wont work working works").split(" "),
  );
  // What the pages call what readers write (aliases.json).
  const inOurWords = (text) =>
    table.aliases.reduce((said, [theirs, ours]) => said.replace(new RegExp(`\\b(?:${theirs})\\b`, "g"), ours), text.toLowerCase());

  // -------------------------------------------------------------------------------------------------------------------
  // Words, taken apart as search_index.py does it

  function stem(word) {
    const found = rooted(word);
    return table.same[found] ?? found;
  }

  function rooted(word) {
    if (/^[a-z][^_sui\d]s$/.test(word)) return word.slice(0, -1); // SMs
    if (!/^[a-z]{4,}$/.test(word)) return word;
    word = word.replace(/is(e|ed|es|er|ers|ing|ation|ations)$/, "iz$1");
    if (word.endsWith("ies")) word = word.slice(0, -3) + "y";
    else if (word.endsWith("sses")) word = word.slice(0, -2);
    else if (/[^sui]s$/.test(word)) word = word.slice(0, -1);
    word = word.replace(/ization$/, "iz").replace(/tion$/, "t").replace(/ence$/, "ent");
    const found = word.match(/^(.*[aeiouy].*[^e])(?:ing|ed)$/);
    if (found && found[1].length > 2) word = found[1].replace(/([bdgmnprt])\1$/, "$1");
    return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
  }

  const bare = (word) => word.replace(/^_+|_+$/g, "");
  const tokens = (text) => text.toLowerCase().replaceAll("c++", "cpp").match(/[a-z0-9_]+(?:(?:::|\.)[a-z0-9_]+)*/g) ?? [];

  // The words of a title or heading that say something.
  function terms(text) {
    const found = tokens(text).flatMap((token) => token.split(/::|\./)).map(bare);
    return new Set(found.filter((word) => word && !STOP.has(word)).map(stem));
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Files of the index

  let table = null;
  const shards = new Map();
  const rows = new Map();
  const texts = new Map();
  const waiting = new Map();

  function load(path) {
    if (!waiting.has(path)) {
      const loaded = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = new URL(`_search/${path}`, root);
        script.onload = () => resolve(script.remove());
        script.onerror = () => reject(new Error(`${path} did not load`), script.remove(), waiting.delete(path));
        document.head.append(script);
      });
      waiting.set(path, loaded);
    }
    return waiting.get(path);
  }

  const titles = new Map(); // address to title

  // The row of an entry: address, title, former title.
  async function row(entry) {
    const n = Math.floor((entry - table.entries.length) / table.rows);
    if (n < 0) return table.entries[entry];
    if (!rows.has(n)) await api.load(`${table.version}/rows/${n}.js`);
    return rows.get(n)[(entry - table.entries.length) % table.rows];
  }

  const shard = async (n) => shards.get(n) ?? (await api.load(`${table.version}/${n}.js`), shards.get(n));

  // The shards that hold words from one to another.
  function range(from, to) {
    const starts = table.shards;
    let first = starts.findLastIndex((start) => start <= from);
    if (first < 0) first = 0;
    const found = [first];
    for (let n = first + 1; n < starts.length && starts[n] <= to; n++) found.push(n);
    return found;
  }

  function* postings(signs) {
    let at = -1;
    for (let i = 0; i < signs.length; ) {
      let distance = 0;
      let sign;
      do {
        sign = digit(signs, i++);
        distance = distance * 45 + (sign % 45);
      } while (sign >= 45);
      at += distance;
      yield [at, digit(signs, i) / STEPS, digit(signs, i + 1)];
      i += 2;
    }
  }

  // Signs are those of ASCII from "#" on, less the backslash.
  function digit(signs, i) {
    const code = signs.charCodeAt(i);
    return code - (code > 92 ? 36 : 35);
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Queries

  // Where the words between two bounds occur: entry to what it says there and the best section.
  async function places(from, to, weigh, most = Infinity) {
    const found = new Map();
    for (const words of await Promise.all(range(from, to).slice(0, most).map(shard))) {
      for (const word in words) {
        if (word < from || word > to) continue;
        const weight = weigh(word);
        if (!weight) continue;
        for (const [entry, says, section] of postings(words[word])) {
          const old = found.get(entry);
          if (!old || old.says < says * weight) found.set(entry, { says: says * weight, section });
        }
      }
    }
    return found;
  }

  function join(...lists) {
    const all = new Map();
    for (const list of lists) {
      for (const [entry, place] of list) if (!(all.get(entry)?.says >= place.says)) all.set(entry, place);
    }
    return all;
  }

  const END = "\uffff";
  const beginning = (text, weight) => places(text, text + END, (word) => (word === text ? 1 : word.includes("+") ? 0 : weight), MAX_SHARDS);

  // Whether two words differ in one letter, at most.
  function alike(a, b) {
    if (Math.abs(a.length - b.length) > 1) return false;
    let i = 0;
    while (i < a.length && a[i] === b[i]) i++;
    if (a.slice(i + 1, i + 3) === b.slice(i, i + 2) && a[i] === b[i + 1] && a.slice(i + 2) === b.slice(i + 2)) return true;
    return a.slice(i + 1) === b.slice(i + 1) || a.slice(i) === b.slice(i + 1) || a.slice(i + 1) === b.slice(i);
  }

  // Whether two words are forms of one: they begin alike, and differ in an ending.
  const ENDING = /^(?:|e|y|i|s|es|ed|er|ers|or|ors|ing|ings|ly|al|ally|ic|ity|able|ible|ion|ions|ation|ations|ments?|ness|i[sz](?:e|ed|es|er|ers|ing|ation|ations)?|at|t|ent|ance|ant)$/;
  function related(a, b) {
    let i = 0;
    while (i < a.length && a[i] === b[i]) i++;
    return i > 3 && ENDING.test(a.slice(i)) && ENDING.test(b.slice(i));
  }

  // Where one word of a query occurs; `unfinished` if the reader may be typing it. Nowhere, if no page has it: a word that
  // only begins like another is another word.
  async function word(token, unfinished) {
    const plain = bare(token);
    const root = stem(plain);
    let found = await places(root, root, () => 1);
    if (plain !== token) {
      const exact = await places(token, token, () => 1);
      if (exact.size) found = join(exact, [...found].map(([entry, place]) => [entry, { ...place, says: place.says / 4 }]));
    }
    if (unfinished && plain.length > 1) {
      const same = Object.keys(table.same).filter((other) => other.startsWith(plain)).map((other) => table.same[other]);
      const others = [...new Set(same)].slice(0, MAX_SHARDS).map((other) => places(other, other, () => 0.6));
      found = join(found, await beginning(plain, 0.6), ...(await Promise.all(others)));
    }
    const onPages = [...found.keys()].some((entry) => entry < table.entries.length);
    if (!onPages && !unfinished && plain.length > 4) { // mallocmanaged
      const whole = stem(`cuda${plain}`);
      found = join(found, await places(whole, whole, () => 1));
    }
    if (!found.size && plain.length > 4) {
      const start = plain.slice(0, 4);
      found = await places(start, start + END, (other) => (related(plain, other) ? 0.5 : 0), MAX_SHARDS);
    }
    return found;
  }

  // The words of titles, which are there before anything is loaded, and those that mean the same.
  let titled = null;
  const vocabulary = () => (titled ??= new Set(
    [...Object.keys(table.same), ...table.entries.flatMap((row) => row.slice(1).flatMap(tokens))].filter((word) => word.length > 3)));

  // The word that a reader may have meant: the one of most pages that differs in one letter.
  async function meant(token) {
    const plain = bare(token);
    if (plain.length < 5) return token;
    const swapped = [...plain].slice(1).map((_, i) => plain.slice(0, i) + plain[i + 1] + plain[i] + plain.slice(i + 2));
    const near = (other) => swapped.includes(other) || swapped.includes(rooted(other)) || swapped.some((one) => rooted(one) === other) ||
      alike(plain, other) || alike(rooted(plain), other);
    const others = [...vocabulary()].filter(near);
    const start = plain.slice(0, 3);
    if (!others.length) await places(start, start + END, (other) => (near(other) && others.push(other), 0), MAX_SHARDS);
    const counted = await Promise.all(others.map(async (other) => [other, (await word(other, false)).size]));
    return counted.reduce((best, one) => (one[1] > best[1] ? one : best), [token, 0])[0];
  }

  // What begins with a letter: titles of pages and terms alone tell, before anything is loaded.
  function initial(letter) {
    const found = [];
    table.entries.forEach(([, title], entry) => {
      const at = ` ${title.toLowerCase()}`.search(new RegExp(`[^a-z0-9_]${letter}`));
      if (at >= 0) found.push({ entry, kind: kind(entry), section: 0, score: (at ? 1 : 2) * NAME[kind(entry)] });
    });
    return Object.assign(found.sort((a, b) => b.score - a.score || a.entry - b.entry), { missing: [], apart: false });
  }

  // What is known of the pieces of names that do not occur: cudaImportExternalMemory, __match_any_sync.
  async function inPieces(parts, text) {
    const written = new Map((text.match(/\w+/g) ?? []).map((name) => [name.toLowerCase(), name]));
    const found = await Promise.all(
      parts.map(async (part) => {
        const name = (written.get(part.token) ?? part.token).replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase();
        const pieces = name.split("_").filter((piece) => piece.length > 2 && piece !== "cuda" && !STOP.has(piece));
        if (part.places.size || !name.includes("_") || !pieces.length) return [part];
        return Promise.all(pieces.map(async (token) => ({ token, places: await word(token, false) })));
      }),
    );
    return found.flat();
  }

  // The words of a query, each with where it occurs.
  async function look(text, typing) {
    const expanded = tokens(inOurWords(text));
    const said = expanded.filter((token) => !STOP.has(token));
    const told = said.filter((token) => !FILLER.has(token) && !/^[a-z]$/.test(token));
    const asked = [told, said, expanded].find((list) => list.length) ?? [];
    const last = typing && /[\w]$/.test(text) ? asked.length - 1 : -1;
    const found = await Promise.all(
      asked.map(async (token, n) => {
        if (!/[.:]/.test(token)) {
          const places = await word(token, n === last);
          if (places.size) return [{ token, places }];
          const other = await meant(token);
          return [{ token: other, places: await word(other, false) }];
        }
        let whole = await places(token, token + (n === last ? END : ";"), (other) => // 0.7: a section below, a longer name
          other === token || n === last ? 1 : /[.:]/.test(other[token.length]) ? 0.7 : 0);
        for (let above = token; /^\d+(\.\d+){2,}$/.test(above) && !whole.size; ) {
          above = above.replace(/\.\d+$/, ""); // a section that is not known lies in one that may be
          whole = await places(above, above, () => 0.5);
        }
        if (whole.size || /^[\d.]+$/.test(token)) return [{ token, places: whole }];
        const parts = token.split(/::|\./).filter((part) => part.length > 1 && !STOP.has(part));
        return Promise.all(parts.map(async (part) => ({ token: part, places: await word(part, n === last) })));
      }),
    );
    const parts = await inPieces(found.flat(), text);
    // Two words that belong together, and names that are written with an underscore where the reader put a space.
    const pairs = await Promise.all(
      parts.slice(1).map(async ({ token }, n) => {
        const [a, b] = [bare(parts[n].token), bare(token)];
        const joined = [`${a}_${b}`, `${stem(a)}_${stem(b)}`];
        const [name, phrase] = await Promise.all(joined.map((both) => places(both, both, () => 1)));
        for (const part of [parts[n], parts[n + 1]]) part.places = join(part.places, name);
        return { pair: PAIR, places: join(name, phrase) };
      }),
    );
    return [...parts, ...pairs, ...(await together(parts))];
  }

  // Two words that readers put into one question, in whatever order; of a long question, those that tell most.
  async function together(parts) {
    const known = parts.filter(({ places }) => places.size);
    const told = [...new Map(known.map(({ token, places }) => [stem(bare(token)), rarity(places)]))];
    const both = told.flatMap(([a, x], n) =>
      told.slice(n + 1).map(([b, y]) => ({ keys: [`${a}+${b}`, `${b}+${a}`], tells: x + y })));
    both.sort((a, b) => b.tells - a.tells);
    return Promise.all(
      both.slice(0, MOST_PAIRS).map(async ({ keys, tells }) => {
        const found = await Promise.all(keys.map((key) => places(key, key, () => 1)));
        return { pair: TOGETHER, tells, places: join(...found) };
      }),
    );
  }

  const kind = (entry) => table.kinds.findLastIndex((start) => start <= entry);

  // How much a word tells: the fewer pages have it, the more. Names and programs do not count: they hold every word.
  function rarity(places) {
    if (!places.size) return 1;
    const pages = table.entries.length;
    const having = [...places.keys()].filter((entry) => entry < pages).length;
    return Math.log(1 + pages / Math.max(having, 1));
  }

  // How far a title is what was asked for: the share of the question that it holds, less what it says besides.
  function fits(title, weights) {
    const held = terms(title);
    let share = 0;
    let all = 0;
    let hit = 0;
    for (const [term, weight] of weights) {
      all += weight;
      if (held.has(term)) (share += weight), hit++;
    }
    const chance = hit < 2 && weights.size > 2 ? BY_CHANCE : 1;
    return held.size && all ? (share / all) * Math.sqrt(hit / held.size) * chance : 0;
  }

  // The share of a query that a title holds word for word, if it is three words or more, such as the text of an error.
  function sequence(text, title) {
    const asked = tokens(text);
    const held = ` ${tokens(title).join(" ")} `;
    let longest = 0;
    for (let i = 0; i < asked.length; i++) {
      while (held.includes(` ${asked.slice(i, i + longest + 1).join(" ")} `) && i + longest < asked.length) longest++;
    }
    return longest > 2 ? longest / asked.length : 0;
  }

  // The entries that answer a query, best first: { entry, kind, section, score }. `missing` of the list has the words that
  // no page holds; `apart` says that no page holds all the others.
  async function find(question, typing = false) {
    if (typing && /^\s*[a-z]\s*$/i.test(question)) return initial(question.trim().toLowerCase());
    const text = question.replace(/^.*\berror:\s*(?=\w+ \w)/i, ""); // what follows is the text of an error
    const asked = await look(text, typing);
    const theirs = new Set(tokens(text).flatMap((token) => [token, ...token.split(/::|\.|_/)]));
    const weights = new Map();
    const scores = new Map();
    let all = 0;
    let most = 0;
    for (const { token, places, pair, tells } of asked) {
      const weight = tells ?? rarity(places) * (pair || theirs.has(token) ? 1 : OURS);
      if (!pair && places.size) most += weight;
      if (!pair) weights.set(stem(bare(token)), weight);
      if (!pair) all += weight;
      for (const [entry, { says, section }] of places) {
        let score = scores.get(entry);
        if (!score) scores.set(entry, (score = { says: 0, covered: 0, sections: new Map() }));
        score.says += says * weight * (pair ?? 1);
        score.covered += pair ? 0 : weight;
        score.sections.set(section, (score.sections.get(section) ?? 0) + says * weight);
      }
    }
    const found = [];
    for (const [entry, { says, covered, sections }] of scores) {
      const [, title = "", former = ""] = table.entries[entry] ?? [];
      const [section] = [...sections].reduce((a, b) => (b[1] > a[1] ? b : a));
      const sort = kind(entry);
      const names = sort === 3 ? title.split(", ") : []; // of one term
      const named = Math.max(...[...names, title, former].map((name) => fits(name, weights)));
      const quoted = sequence(text, title);
      const exact = sort < 5 && (named === 1 || quoted === 1) ? 0.3 : 0; // the very words
      const inText = (says / all) * Math.sqrt(covered / all);
      const inNames = 0.5 * named + 0.7 * quoted;
      found.push({ entry, kind: sort, section, score: TEXT[sort] * inText + (NAME[sort] ?? 0) * inNames + exact });
    }
    const apart = ![...scores.values()].some(({ covered }) => covered > most - 1e-6);
    const missing = asked.filter(({ places, pair }) => !pair && !places.size).map(({ token }) => token);
    return Object.assign(found.sort((a, b) => b.score - a.score || a.entry - b.entry), { missing: [...new Set(missing)], apart });
  }

  // -------------------------------------------------------------------------------------------------------------------
  // What a result shows

  const slug = (heading) => heading.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  const title = (address) => titles.get(address);

  // The page above another: as its breadcrumbs say, where that is not the one that its folder belongs to.
  function above(page) {
    if (page in table.above) return table.above[page];
    const folders = page.split("/").slice(0, -1);
    if (page.endsWith("/index.html")) folders.pop();
    if (folders[0] === "programs") folders.shift();
    const folder = folders.join("/");
    return [`${folder}.html`, `${folder}/index.html`].find((near) => near !== page && titles.has(near));
  }

  // Its address, title, and the way to it: part, chapter, section.
  async function describe({ entry, section }) {
    const [address, name] = await row(entry);
    const way = [];
    const [page, anchor] = address.split("#");
    for (let at = anchor ? page : above(page); at; at = above(at)) way.unshift(title(at));
    let target = address;
    if (section > 0) {
      const { heading, anchor } = await textOf(entry, section);
      target += `#${anchor}`;
      way.push(heading);
    }
    return { href: new URL(target, root).href, title: name, way };
  }

  // The text of a section, its heading, and where that stands.
  async function textOf(entry, section) {
    const file = `${entry}.${section}`;
    if (!texts.has(file)) await api.load(`${table.version}/text/${file}.js`);
    return texts.get(file) ?? { text: "" };
  }

  // Some words of a section around those that were asked for: pieces of text, every other one a word asked for.
  async function excerpt({ entry, section }, text, length = 240) {
    const { text: whole } = await textOf(entry, section);
    const asked = new Set([...terms(text), ...terms(inOurWords(text))]);
    const hits = [...whole.matchAll(/\w+/g)].filter(({ 0: token }) => {
      const lower = bare(token.toLowerCase());
      return asked.has(stem(lower));
    });
    let best = { score: -1, at: 0 };
    for (let i = 0; i < hits.length; i++) {
      const different = new Set();
      for (let j = i; j < hits.length && hits[j].index < hits[i].index + length; j++) {
        different.add(stem(bare(hits[j][0].toLowerCase())));
      }
      if (different.size > best.score) best = { score: different.size, at: hits[i].index };
    }
    let start = Math.max(0, best.at - 60);
    if (start) start = whole.indexOf(" ", start) + 1;
    const end = whole.indexOf(" ", start + length);
    const stop = end < 0 ? whole.length : end;
    const pieces = [];
    let at = start;
    for (const { 0: token, index } of hits) {
      if (index < start || index >= stop) continue;
      pieces.push(whole.slice(at, index), token);
      at = index + token.length;
    }
    pieces.push(whole.slice(at, stop));
    if (start) pieces[0] = `… ${pieces[0]}`;
    if (stop < whole.length) pieces.push(`${pieces.pop()} …`);
    return pieces;
  }

  // An entry of the table with what search_index.py leaves out: the end of an address that repeats the title, and the
  // title of a program that is the name of its file.
  function complete([address, title, ...rest]) {
    const name = title || address.split("/").pop().replace(/html$/, "cu");
    return [address.endsWith("-") ? address + slug(name.split(", ")[0]) : address, name, ...rest];
  }

  const api = {
    table(given) {
      const same = given.same.map((group) => group.split(" ")).flatMap(([first, ...others]) => others.map((other) => [other, first]));
      table = { ...given, entries: given.entries.map(complete), same: Object.fromEntries(same) };
      for (const [address, title] of table.entries) titles.set(address, title);
    },
    shard: (n, words) => shards.set(n, words),
    rows: (n, entries) => rows.set(n, entries.map(complete)),
    text: (file, text, heading, anchor) => texts.set(file, { text, heading, anchor }),
    load,
    find,
    describe,
    excerpt,
    stem,
  };
  return api;
})();
globalThis.lockstepSearch = lockstepSearch;
