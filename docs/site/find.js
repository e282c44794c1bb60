// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds sections of pages by words: `sections` of find_words.js are [page, heading, address, words, each up to four times],
// `synonyms` lists of words that stand for each other. Each word of the question, or one that stands for it, must begin a word of the section.
function find_sections(question) {
  const asked = question.toLowerCase().split(/[^\p{L}\p{N}_.+]+/u).filter(word => word.length > 1);
  if (!asked.length) return [];
  const choices = asked.map(word => [word, ...synonyms.filter(list => list.some(one => one.startsWith(word))).flat()]);
  const begins = (words, choice) => choice.some((one, number) =>
    words.some(word => word.startsWith(one) && (number === 0 || word === one || word === one + "s")));
  const found = [];
  for (const [page, heading, address, text] of sections) {
    const words = text.split(" "), title = (page + " " + heading).toLowerCase().split(/[^\p{L}\p{N}_.+]+/u);
    if (!choices.every(choice => begins(words, choice) || begins(title, choice))) continue;
    const long = 1 + words.length / 80;  // lists have many words, and say little of each
    const points = choices.reduce((sum, choice) => sum + (begins(title, choice.slice(0, 1)) ? 6 : 0) +
      (begins(title, choice) ? 3 : 0) + words.filter(word => word.startsWith(choice[0])).length / long, 0);
    found.push([points, page, heading, address]);
  }
  return found.sort((a, b) => b[0] - a[0]).slice(0, 40);
}

if (typeof document !== "undefined") {
  const field = document.getElementById("find"), list = document.getElementById("found");
  const show = () => {
    list.replaceChildren(...find_sections(field.value).map(([, page, heading, address]) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = address;
      link.textContent = heading && heading !== page ? page + ": " + heading : page;
      item.append(link);
      return item;
    }));
    if (!list.children.length && field.value.trim().length > 1) list.textContent = "No section has all of these words.";
  };
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", show);
  field.focus();
  show();
}
