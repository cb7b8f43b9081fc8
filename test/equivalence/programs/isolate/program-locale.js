console.log([1, 10, 2].map(String).sort(new Intl.Collator(undefined, { numeric: true }).compare), 'I'.toLocaleLowerCase('tr'), (12.5).toLocaleString('fr-FR', { style: 'currency', currency: 'EUR' }));
